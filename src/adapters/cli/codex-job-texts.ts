/** Output of the job commands for people. */
export const JOB_PRINTS = {
  started: (id: string, log: string) => `Started ${id}\nLog: ${log}\n`,
  queued: (id: string, log: string) => `Queued ${id}; it starts when others have ended\nLog: ${log}\n`,
  noJobs: "No jobs.\n",
  removed: (count: string) => `Removed ${count}.\n`,
  wouldRemove: (count: string) => `Would remove ${count}:\n`,
  notRemoved: (id: string) => `${id} could not be removed whole`,
  noLogYet: (id: string, errors: string) => `${id} has no log; the output of its start is in ${errors}`,
} as const;

/** The same for jobs of a team. */
export const TEAM_JOB_PRINTS = {
  queued: (id: string) => `Queued ${id} on the team's server\nLook: groundwork codex status ${id} --team\n`,
  fetched: (branch: string) => `Brought here as branch ${branch}\n`,
  result: (branch: string, id: string) => `${branch}; groundwork codex fetch ${id} --team brings it here`,
  stopAsked: (id: string) => `${id} is asked to stop; its worker hears of it within seconds`,
  takenOut: (id: string) => `${id} was removed from the queue`,
  alreadyOver: (id: string, state: string) => `${id} is already over (${state})`,
  again: (id: string, attempt: number) => `${id} begins again: attempt ${attempt}`,
  logCut: (id: string, bytes: number) => `the log of ${id} was longer than the ${bytes} bytes that are kept`,
  noLogYet: (id: string, state: string) => `${id} is ${state} and has no log`,
} as const;

/** Errors in command lines. */
export const JOB_MISUSE = {
  noCommand: "no command",
  noId: (command: string) => `${command} needs the id of a job`,
  tooMany: (command: string, word: string) => `${command} does not know what to do with ${word}`,
  needsValue: (option: string) => `${option} needs a value`,
  needsNumber: (option: string) => `${option} takes a whole number`,
  badStrategy: "--strategy takes full-restart or from-last-checkpoint",
  seeHelp: (message: string) => `job.sh: ${message}${message.endsWith("?") ? " See" : "; see"} "job.sh --help"`,
  refused: (line: string) => `job.sh: ${line}`,
} as const;
