/**
 * What happened, for whoever reads the logs. Contract: no text of a question, a file or a job; no name of a repository.
 */
export type LogEntry = Readonly<Record<string, string | number | boolean | null>>;

/** Writes an entry. */
export type Log = (event: string, entry?: LogEntry) => void;

/** A log of one JSON object per line. */
export function makeLog(write: (line: string) => void, now: () => Date): Log {
  return (event, entry = {}) => write(`${JSON.stringify({ at: now().toISOString(), event, ...entry })}\n`);
}
