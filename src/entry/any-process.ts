import { ORCHESTRATOR_VARIABLE } from "../adapters/hook/arguments.ts";
import type { Environment } from "../base/environment.ts";
import { SETTINGS } from "../config/settings.ts";

/** Variables that start programs, query a model, or require output besides the answer. */
const OWN_PROCESS = new RegExp(
  `^(?:CI_AUTO_TOOLS_RUNNER_.*|CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE|CI_AUTO_TOOLS_PRINT_STDERR_SUMMARY|${ORCHESTRATOR_VARIABLE}|${SETTINGS.embeddingsUrl.env}|${SETTINGS.teamRepos.env})$`,
);

/**
 * True if any of our processes may answer a question; false if it requires a process of its own, whatever that costs.
 */
export function isForAnyProcess(env: Environment): boolean {
  return !Object.entries(env).some(([name, value]) => value !== "" && OWN_PROCESS.test(name));
}
