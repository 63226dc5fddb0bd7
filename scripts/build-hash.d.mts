/** Sixteen hex digits that change with any program, model or word list in the folder. Contract: throws if there is none. */
export function hashBuild(folder: string): string;
