/** Errors of questions, calls and settings. */
const TROUBLES = {
  10: "the installation is incomplete, or the program did not answer",
  20: "settings, or a client's file, cannot be used as they are",
  30: "the answer was not a run document",
  40: "a tool failed, or refused its arguments",
  50: "out of time, or the result was too large to show",
} as const;

/** Meaning of the exit codes of all commands, in the order of the documentation. */
export const EXIT_CODES = {
  0: "done",
  1: "the answer is no: a check failed, nothing is running, no such run is kept, or you were asked and said no",
  2: "wrong command line; install, trust: there is no terminal to ask on",
  ...TROUBLES,
  20: `${TROUBLES[20]}; or the history cannot be used`,
  50: `${TROUBLES[50]}, or another process is writing the history`,
  124: "codex exec: Codex was ended after --timeout",
  127: "codex exec: codex is not installed",
  129: "the terminal was closed (SIGHUP)",
  130: "ended by Ctrl-C (SIGINT)",
  143: "ended by SIGTERM",
} as const;

/** Exit codes of a question. */
export const RUN_EXITS = pick(10, 20, 30, 40, 50);
/** Exit codes of a tool call. */
export const CALL_EXITS = pick(20, 40, 50);
/** Exit codes of a change of settings. */
export const SETTINGS_EXITS = pick(20);

/** Exit codes of commands that read the history. */
export const HISTORY_EXITS: Readonly<Record<number, string>> = {
  20: "the history cannot be used",
  50: "another process is writing the history",
};

/** Exit codes that every command may have. */
export const COMMON_EXITS: Readonly<Record<number, string>> = { 0: EXIT_CODES[0], 2: "wrong command line" };
/** Exit codes of commands that ask a person. */
export const ASKED_EXITS: Readonly<Record<number, string>> = {
  1: "you were asked and said no",
  2: "wrong command line, or there is no terminal to ask on and no --yes",
  ...SETTINGS_EXITS,
};

function pick(...codes: readonly (keyof typeof TROUBLES)[]): Readonly<Record<number, string>> {
  return Object.fromEntries(codes.map((code) => [code, TROUBLES[code]]));
}
