/** Options that prevent connections of its own, and let it run without a screen and without a sandbox. */
export const CHROMIUM_FLAGS: string[];
/** Returns the path of the browser; if there is none, throws an error that says how to install it. */
export function findChromium(): string;
