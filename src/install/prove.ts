import type { Environment } from "../base/environment.ts";
import { runProgram } from "../base/subprocess/run-program.ts";
import { withTimeLimit } from "../base/timers.ts";
import { CLIENTS } from "../contract/clients.ts";
import { type ClientFiles, TIMEOUT_SECONDS } from "./clients/client-install.ts";
import { locateFiles } from "./clients/find-clients.ts";
import { hasTrustRecord, TRUST_REMEDY } from "./codex-trust.ts";
import { makeSample, readHookOutput, toHookPayload } from "./hook-question.ts";
import type { ClientReport, InstallReport, Proof } from "./report.ts";
import type { InstallPlaces } from "./request.ts";

const MOST_BYTES = 1_000_000;

interface ProofPlace {
  /** Folder that contains this program, which the question is about. */
  readonly projectRoot: string;
  readonly env: Environment;
  readonly nowMs: () => number;
}

/** Tests the launcher of every client of an installation that was not refused. */
export async function proveInstall(
  report: InstallReport,
  { home, env, projectRoot }: InstallPlaces,
  nowMs: () => number,
): Promise<InstallReport> {
  const clients: ClientReport[] = [];
  const notes = [...report.notes];
  for (const client of report.clients) {
    const files = locateFiles(client.client, home, env);
    const isAsked = client.state !== "refused";
    clients.push(isAsked ? { ...client, proof: await proveLauncher(files, { projectRoot, env, nowMs }) } : client);
    if (client.client === "codex" && isAsked && !hasTrustRecord(files)) notes.push(TRUST_REMEDY);
  }
  return { ...report, clients, notes };
}

/**
 * Asks a client's installed launcher one question, as the client would. Contract: never throws; an empty answer is a
 * success; an answer that the client could not parse, or would not wait for, is a failure.
 */
export async function proveLauncher({ client, launcher }: ClientFiles, place: ProofPlace): Promise<Proof> {
  const { question, cwd, env } = makeSample(place.projectRoot, place.env);
  const startedAt = place.nowMs();
  const { exitCode, stdout, startError } = await withTimeLimit(
    new AbortController().signal,
    TIMEOUT_SECONDS * 1_000,
    (signal) =>
      runProgram({
        command: launcher,
        args: [],
        cwd,
        env,
        stdin: toHookPayload(CLIENTS[client], cwd, question),
        signal,
        maxStdoutBytes: MOST_BYTES,
        maxStderrBytes: MOST_BYTES,
      }),
  );
  const tookMs = place.nowMs() - startedAt;
  if (startError !== "") return { ok: false, tookMs, says: `${launcher} could not be started: ${startError}` };
  if (exitCode !== 0) return { ok: false, tookMs, says: `it ended with ${exitCode ?? "a signal"} after ${tookMs} ms` };
  const { why, context } = readHookOutput(CLIENTS[client], stdout);
  if (why !== "") return { ok: false, tookMs, says: `${CLIENTS[client].title} does not read its answer: ${why}` };
  const what = context === "" ? "nothing to add here" : `${context.length} characters of evidence`;
  return { ok: true, tookMs, says: `in ${tookMs} ms: ${what}` };
}
