/** What people and scripts read about jobs, besides the tables of the command line. */
export const JOB_TEXTS = {
  noFolder: (cwd: string) => `--cwd ${cwd} is not a folder that can be entered`,
  planted: (path: string) => `${path} is a link or not a folder: nothing is read or written there`,
  notWritable: (path: string, why: string) => `${path} cannot be made: ${why}`,
  badId: (id: string) => `"${id}" is not a job id (letters, digits and "_.:-")`,
  unknownJob: (id: string, cwd: string) => `no job ${id} in ${cwd}; "list" shows them`,
  noFreeId: "no free job id was found",
  noRoom: "it cannot be written to (is the disk full?)",
  notStarted: (command: string) => `${command} could not be started`,
  badLimit: "--max-parallel takes a whole number from 1 to 1000",
  badPriority: "--priority takes a whole number from -1000 to 1000",
  supervisorGone: "The supervisor was killed before the run had ended",
  endedSilently: "The run ended without telling its exit code",
  stoppedQueued: "Stopped before it was started",
  stopped: "Stopped on request",
  stoppedByForce: "Stopped on request, by force",
  exitCode: (code: number) => `The run ended with exit code ${code}`,
  logEnd: (reason: string, code: number) => `\n[trap] ${reason}. Exit Code: ${code}\n`,
  completed: "Run completed normally",
  alreadyOver: (id: string, state: string) => `${id} is already over (${state})`,
  wasStopped: (id: string, code: number) => `${id} was stopped (exit code ${code})`,
  wasTakenOut: (id: string) => `${id} was taken out of the queue`,
  stillEnding: (id: string, seconds: number) =>
    `${id} was asked to stop, and has not ended after ${seconds} s; "stop ${id} --force" ends it at once`,
  notOver: (id: string, state: string) => `${id} is ${state}; "stop ${id}" ends it first`,
  notYours: (id: string) => `${id} was not started by you on this machine, or its record was changed: start a new job`,
  notKept: (id: string) => `${id} kept no options, because secrets are hidden in it: name them again after its id`,
  movedAside: (path: string, why: string, to: string) => `${path} was broken (${why}) and is now ${to}`,
  noQueue: (why: string) => `the queue cannot be had: ${why}; jobs that wait stay where they are`,
  queueBusy: (seconds: number) => `others have had it for ${seconds} s`,
  noLog: (id: string) => `${id} has no log yet`,
  badPattern: (pattern: string) => `not a pattern: ${pattern}`,
} as const;

/** How jobs are used from a shell. */
export const JOB_USAGE = `Usage: job.sh <command> [options]
       groundwork codex <command> [options]

  exec [options]        groundwork codex alone: run Codex now and wait for it, as start.sh does
  start [options]       start Codex in the background and return at once; all other options are
                        those of start.sh (start.sh --help), as --task TEXT, -f FILE, --sandbox MODE
      --tag NAME        becomes part of the job's id
      --max-parallel N  wait until fewer than N jobs of this folder are running
      --priority N      of those that wait, higher ones begin first (default 0)
      --timeout SECONDS end Codex after that time
  status <id>           what a job is doing, or how it ended
  logs <id>             its log  [--tail N] [--follow, -f]
  stop <id>             end it with all that it started, gently  [--force: at once]
  list                  all jobs, newest first
                        [--state queued|running|completed|failed] [--tag-contains TEXT]
                        [--limit N] [--offset N]
  resume <id> [options] start a new job with the options of one that is over, in the same session
                        of Codex; further options are added  [--strategy full-restart: a new session]
  clean                 remove jobs that ended more than 24 hours ago
                        [--older-than-hours N] [--state completed|failed] [--limit N] [--dry-run]
  metrics               how many jobs, how they ended, time and tokens  [--state STATE]

  --cwd DIR             folder that Codex works in (default: the current one); jobs lie in
                        DIR/.codex-father/sessions/
  --json                answers for programs, with every command but logs
  -h, --help

Exit codes: 0 done; 1 asked to stop, but not ended yet; 2 wrong command line or no such job.
`;

/** What the commands print for people. */
export const JOB_PRINTS = {
  started: (id: string, log: string) => `Started ${id}\nLog: ${log}\n`,
  queued: (id: string, log: string) => `Queued ${id}; it begins when others have ended\nLog: ${log}\n`,
  noJobs: "No jobs.\n",
  removed: (count: string) => `Removed ${count}.\n`,
  wouldRemove: (count: string) => `Would remove ${count}:\n`,
  notRemoved: (id: string) => `${id} could not be removed whole`,
  noLogYet: (id: string, errors: string) => `${id} has no log; what its start said is in ${errors}`,
} as const;

/** Why a command line is none. */
export const JOB_MISUSE = {
  unknown: (command: string) => `unknown command ${command}`,
  noCommand: "no command",
  noId: (command: string) => `${command} needs the id of a job`,
  tooMany: (command: string, word: string) => `${command} does not know what to do with ${word}`,
  needsValue: (option: string) => `${option} needs a value`,
  needsNumber: (option: string) => `${option} takes a whole number`,
  badState: "--state takes queued, running, completed or failed",
  badStrategy: "--strategy takes full-restart or from-last-checkpoint",
  seeHelp: (message: string) => `job.sh: ${message}; see "job.sh --help"`,
  refused: (line: string) => `job.sh: ${line}`,
} as const;
