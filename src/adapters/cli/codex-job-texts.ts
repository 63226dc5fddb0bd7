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
