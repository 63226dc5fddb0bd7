/** Exit codes with which shells report that a signal ended a process. */
export const EXIT_CODE_OF = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGKILL: 137 } as const;

/** Signals that ask a process to end, with the exit codes that report them. */
export const ENDING_SIGNALS = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map(
  (signal) => [signal, EXIT_CODE_OF[signal]] as const,
);

/** The signal that Ctrl-C sends. */
export const INTERRUPT = "SIGINT";
