import type { OrRefusal } from "./codex-jobs.ts";

/** A refusal with these lines. */
export function refuse(...lines: readonly string[]): OrRefusal<never> {
  return { ok: false, refusal: { lines } };
}

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
  completed: "Run completed normally",
  alreadyOver: (id: string, state: string) => `${id} is already over (${state})`,
  wasStopped: (id: string, code: number) => `${id} was stopped (exit code ${code})`,
  wasTakenOut: (id: string) => `${id} was taken out of the queue`,
  stillEnding: (id: string, seconds: number) =>
    `${id} was asked to stop, and has not ended after ${seconds} s; "stop ${id} --force" ends it at once`,
  notOver: (id: string, state: string) => `${id} is ${state}; "stop ${id}" ends it first`,
  notYours: (id: string) => `${id} was not started by you on this machine, or its record was changed: start a new job`,
  notKept: (id: string) => `${id} kept no options, because secrets are hidden in it: name them again after its id`,
  noLog: (id: string) => `${id} has no log yet`,
  badPattern: (pattern: string) => `not a pattern: ${pattern}`,
} as const;
