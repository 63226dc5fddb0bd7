/** What keeps it from asking anybody for anything, and lets it run where there is no screen and no sandbox. */
export const CHROMIUM_FLAGS: string[];
/** Path of the browser; throws, and says how to get it, where there is none. */
export function findChromium(): string;
