import { isTerminal } from "./process.ts";

/** More than this is more than Codex takes. */
const MAX_INPUT_BYTES = 8 * 1024 * 1024;

/**
 * All of standard input as text; empty where it is a terminal. Contract: never throws; ends at the signal. Not the blocking
 * read of the hooks: while that waits, no signal would be heard.
 */
export async function readStandardInput(signal: AbortSignal): Promise<string> {
  if (isTerminal(0)) return "";
  const chunks: Buffer[] = [];
  const stop = () => process.stdin.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    let size = 0;
    for await (const chunk of process.stdin) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > MAX_INPUT_BYTES) break;
    }
  } catch {
    // Closed from the start, or by us.
  }
  return Buffer.concat(chunks).toString("utf8");
}
