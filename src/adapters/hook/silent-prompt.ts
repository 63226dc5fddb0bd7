import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { describeOff, findOff } from "../../config/off-book.ts";
import {
  homeFolder,
  SESSIONS_FOLDER,
  sessionFileName,
  stateFolder,
  TRUST_FILE,
  USER_FILE,
} from "../../config/places.ts";
import { LIMITS, type Limit } from "../../contract/limits.ts";
import { mayBecomeCode } from "../../orchestrator/follow-up.ts";
import type { Judgement, Prompt } from "../../orchestrator/judge.ts";
import { ORCHESTRATOR_VARIABLE } from "./arguments.ts";

/**
 * Reason why the kernel would inject nothing for a hook's prompt, whatever the repository; null if it might inject
 * something. Either the prompt says so, or everything is switched off, or the prompt is clearly not about code and
 * nothing can widen `auto` to `on`: a repository's settings file cannot unless the user trusts some repository. With
 * this check most prompts cost little more than starting node.
 */
export function whyNoTools(prompt: Prompt, judgement: Judgement, env: Environment): Limit | null {
  if (prompt.asksForTool || env["CI_AUTO_TOOLS_PRINT_STDERR_SUMMARY"]) return null;
  if (prompt.marks?.isOff === true) return LIMITS.off("prompt");
  const off = findOff(env, null, systemClock.nowMs());
  if (off !== null && off.damage === null) return LIMITS.off(describeOff(off));
  // A user who requests tier 2 is told what became of it.
  if (prompt.marks?.isDeep === true || env["CI_AUTO_TOOLS"] === "on" || env[ORCHESTRATOR_VARIABLE]) return null;
  const home = homeFolder(env);
  if (home !== null && [USER_FILE, TRUST_FILE].some((path) => existsSync(join(home, path)))) return null;
  const { intent, isOpen } = judgement.analysis;
  return intent === null && !isOpen && !mayGoOn(prompt, judgement, env) ? LIMITS.notCode() : null;
}

/** True if a prompt may refer to an earlier prompt of its session. */
function mayGoOn({ text, client: { session_id } }: Prompt, judgement: Judgement, env: Environment): boolean {
  const state = stateFolder(env);
  if (session_id === undefined || state === null) return false;
  return existsSync(join(state, SESSIONS_FOLDER, sessionFileName(session_id))) && mayBecomeCode(text, judgement);
}
