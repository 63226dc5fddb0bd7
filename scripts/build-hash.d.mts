/** Returns 16 hex digits that depend on all programs, models and word lists of a folder. Throws if there are none. */
export function hashBuild(folder: string): string;
