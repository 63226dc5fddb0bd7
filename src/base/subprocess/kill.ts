/** Sends a signal. Contract: never throws; false where there was nobody any more. */
export function killQuietly(pid: number, signal: NodeJS.Signals = "SIGKILL"): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Sends a signal to the group that a process leads, or to the process where it leads none. Contract: never throws. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (!killQuietly(-pid, signal)) killQuietly(pid, signal);
}
