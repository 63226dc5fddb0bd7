import { isTerminal } from "./process.ts";

/** More than Codex accepts. */
const MAX_INPUT_BYTES = 8 * 1024 * 1024;

/**
 * Reads all of standard input as text; empty if it is a terminal. Contract: never throws; ends at the signal. Does not
 * use the hooks' blocking read, because signals are not handled while that waits.
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
    // Standard input was closed from the start, or by us.
  }
  return Buffer.concat(chunks).toString("utf8");
}
