import { isRecord, parseObject, textOf } from "../base/text.ts";
import { type Gate, originOf, toChangeHeaders } from "./request-guard.ts";

const LIMIT_MS = 5_000;

/** Asks a running server for an address that admits whoever opens it first. Contract: null if it gives none. */
export async function askOpening(gate: Gate): Promise<string | null> {
  try {
    const response = await fetch(`${originOf(gate)}/api/opening`, {
      method: "POST",
      headers: toChangeHeaders(gate),
      body: "{}",
      redirect: "error",
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const done = response.ok ? parseObject(await response.text())?.["done"] : null;
    const address = isRecord(done) ? textOf(done, "address") : "";
    return address.startsWith(`${originOf(gate)}/`) ? address : null;
  } catch {
    return null;
  }
}
