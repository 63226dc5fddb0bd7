import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Claim, claimOwn } from "../base/file-lock.ts";
import { identifyProcess, isSameProcess, type ProcessIdentity } from "../base/process-identity.ts";
import { sendRequest } from "../base/send-request.ts";
import { readStateFile, removeQuietly, replaceFile } from "../base/state-files.ts";
import { isRecord, parseObject, textOf } from "../base/text.ts";
import { sleep } from "../base/timers.ts";
import { type Gate, originOf, toChangeHeaders } from "./request-guard.ts";

const FILE = "ui.json";
const LOCK = "ui.lock";
const MAX_BYTES = 4_096;
/** Maximum time that a newly started instance may take to record its place. */
const START_MS = 5_000;
const LOOK_MS = 50;
const ANSWER_MS = 5_000;
const MAX_ANSWER_BYTES = 4_096;

/** Claims the right to serve the page. Contract: null if another process holds it; throws if locking is impossible. */
export function claimUi(folder: string): Claim | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return claimOwn(join(folder, LOCK));
}

/** Records where the page is served, in a file that only its owner can read. */
export function writeUiPlace(folder: string, { port, token }: Gate): void {
  const own = identifyProcess(process.pid);
  replaceFile(folder, FILE, `${JSON.stringify({ ...own, port, token })}\n`);
}

/** Removes the record, unless another process has replaced it since. */
export function removeUiPlace(folder: string, { token }: Gate): void {
  if (readPlace(folder)?.token === token) removeQuietly(join(folder, FILE));
}

/**
 * Finds where the page is served by the process that holds the claim. Contract: null if it is not recorded within
 * seconds.
 */
export async function findUiPlace(folder: string): Promise<Gate | null> {
  for (const endMs = performance.now() + START_MS; performance.now() < endMs; await sleep(LOOK_MS)) {
    const found = readPlace(folder);
    // A killed instance leaves its file behind.
    if (found !== null && isSameProcess(found.process)) return found;
  }
  return null;
}

function readPlace(folder: string): (Gate & { readonly process: ProcessIdentity }) | null {
  const said = parseObject(readStateFile(folder, FILE, MAX_BYTES) ?? "");
  if (!isRecord(said)) return null;
  const { port, pid } = said;
  const token = textOf(said, "token");
  const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
  if (!isPort || !Number.isInteger(pid) || !/^[\w-]{20,100}$/.test(token)) return null;
  const own = { pid: Number(pid), startedAt: textOf(said, "startedAt"), bootId: textOf(said, "bootId") };
  return { port: Number(port), token, process: own };
}

/** Asks a running server for an address that admits whoever opens it first. Contract: null if it gives none. */
export async function askOpening(gate: Gate): Promise<string | null> {
  const answer = await sendRequest({
    url: `${originOf(gate)}/api/opening`,
    method: "POST",
    headers: toChangeHeaders(gate),
    body: "{}",
    maxBytes: MAX_ANSWER_BYTES,
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const done = answer?.status === 200 ? parseObject(answer.body.toString("utf8"))?.["done"] : null;
  const address = isRecord(done) ? textOf(done, "address") : "";
  return address.startsWith(`${originOf(gate)}/`) ? address : null;
}
