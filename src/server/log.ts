/** A log entry. Contract: contains no text of a question, file or job, and no repository name. */
export type LogEntry = Readonly<Record<string, string | number | boolean | null>>;

/** Writes an entry. */
export type Log = (event: string, entry?: LogEntry) => void;

/** Makes a log that writes one JSON object per line. */
export function makeLog(write: (line: string) => void, now: () => Date): Log {
  return (event, entry = {}) => write(`${JSON.stringify({ at: now().toISOString(), event, ...entry })}\n`);
}
