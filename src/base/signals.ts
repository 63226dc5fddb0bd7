/** The exit codes by which shells tell of the signals that end a process. */
export const EXIT_CODE_OF = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGKILL: 137 } as const;

/** Signals that ask a process to go, and the exit codes that tell of them. */
export const ENDING_SIGNALS = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map(
  (signal) => [signal, EXIT_CODE_OF[signal]] as const,
);

/** What Ctrl-C sends. */
export const INTERRUPT = "SIGINT";
