/** What the exit codes of all commands mean, in the order of the documentation. */
export const EXIT_CODES = {
  0: "done",
  1: "the answer is no: a check failed, nothing is running, no such run is kept, or somebody was asked and said no",
  2: "wrong command line; install, trust: nobody can be asked, because there is no terminal",
  10: "the program is not whole, or did not answer",
  20: "settings, the history or a file of a client cannot be used as they are",
  30: "the answer was no run document",
  40: "a tool failed, or refused its arguments",
  50: "out of time, more found than may be shown, or another process has the history",
  124: "codex exec: Codex was ended after --timeout",
  127: "codex exec: there is no codex",
  129: "ended by the terminal that was closed (SIGHUP)",
  130: "ended by Ctrl-C (SIGINT)",
  143: "ended by SIGTERM",
} as const;

/** What may become of a question. */
export const RUN_EXITS = pick(10, 20, 30, 40, 50);
/** What may become of a call of one tool. */
export const CALL_EXITS = pick(20, 40, 50);
/** What may become of a change of settings. */
export const SETTINGS_EXITS = pick(20);

/** What may become of a look at the history. */
export const HISTORY_EXITS: Readonly<Record<number, string>> = {
  20: "the history cannot be used",
  50: "another process is writing the history",
};

/** Codes that every command may end with. */
export const COMMON_EXITS: Readonly<Record<number, string>> = { 0: EXIT_CODES[0], 2: "wrong command line" };
/** What may become of a question to a person. */
export const ASKED_EXITS: Readonly<Record<number, string>> = {
  1: "asked, and somebody said no",
  2: "wrong command line, or there is no terminal to ask on and no --yes",
  ...SETTINGS_EXITS,
};

function pick(...codes: readonly (keyof typeof EXIT_CODES)[]): Readonly<Record<number, string>> {
  return Object.fromEntries(codes.map((code) => [code, EXIT_CODES[code]]));
}
