import type { CallResult } from "../adapters/mcp/tool-result.ts";
import { askResident } from "../adapters/resident/client.ts";
import { carriedVariables, toQuestionBody } from "../adapters/resident/question.ts";
import { once } from "../base/once.ts";
import { readPlace, residentFolder } from "../config/resident-place.ts";
import { RESIDENT_ROUTES } from "../contract/resident.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { readBuild } from "./build-id.ts";
import type { CallOfTool } from "./mcp-call.ts";

/** A tool that may take longer runs in the calling process: a resident answers one question at a time. */
const QUICK_MS = 20_000;
const PATIENCE_MS = 250;
const LIMIT_MS = 30_000;

const ownBuild = once(readBuild);

/** A call as it is passed to the resident. */
export interface HandedCall extends Pick<CallOfTool, "name" | "args"> {
  readonly folder: string;
}

/** True for a tool whose calls a resident can answer: it only reads, asks the user nothing and is quick. */
export function isForResident({ effect, timeoutMs }: ToolDeclaration): boolean {
  return effect === "read" && timeoutMs < QUICK_MS;
}

/** Has the resident run a call. Contract: never throws; null if there is no resident or it declines the call. */
export async function askResidentForCall(call: CallOfTool, folder: string): Promise<CallResult | null> {
  const own = residentFolder(process.env);
  const place = own === null ? null : readPlace(own);
  if (place === null || place.build !== ownBuild()) return null;
  const payload = JSON.stringify({ name: call.name, args: call.args, folder } satisfies HandedCall);
  const answer = await askResident({
    socket: place.socket,
    method: "POST",
    route: RESIDENT_ROUTES.call,
    build: place.build,
    body: toQuestionBody({ env: carriedVariables(process.env), payload }),
    patienceMs: PATIENCE_MS,
    limitMs: LIMIT_MS,
    signal: call.signal,
  });
  if (answer?.status !== 200) return null;
  try {
    return JSON.parse(answer.text) as CallResult;
  } catch {
    return null;
  }
}
