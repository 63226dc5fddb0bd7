/** Extension of the files that an interpreter runs; only interpreters whose language has a grammar. */
const ENDINGS: Readonly<Record<string, string>> = {
  sh: ".sh",
  bash: ".sh",
  dash: ".sh",
  zsh: ".sh",
  ksh: ".sh",
  bats: ".sh",
  python: ".py",
  ruby: ".rb",
  php: ".php",
  node: ".js",
  deno: ".ts",
  bun: ".ts",
  tsx: ".ts",
  "ts-node": ".ts",
  swift: ".swift",
  scala: ".scala",
};
const FIRST_LINE = /^#![ \t]*(?:\S*\/)?([\w.+-]+)(?:[ \t]+(?:-S[ \t]+)?([\w.+-]+))?/;
const HEAD_CHARS = 200;

/** Whether a file name has an extension. */
export function hasEnding(path: string): boolean {
  return path.lastIndexOf(".") > path.lastIndexOf("/") + 1;
}

/**
 * The extension that a script without one would have, according to its first line. Contract: with the dot; empty for a
 * file that has an extension, and if the first line names no known interpreter. Called for every file that is read, so
 * it does not need the language table.
 */
export function endingOfScript(path: string, text: string): string {
  if (!text.startsWith("#!") || hasEnding(path)) return "";
  const [, program = "", argument = ""] = FIRST_LINE.exec(text.slice(0, HEAD_CHARS)) ?? [];
  const name = (program === "env" ? argument : program).replace(/[\d.]+$/, "");
  return Object.hasOwn(ENDINGS, name) ? (ENDINGS[name] ?? "") : "";
}
