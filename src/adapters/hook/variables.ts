/** Names a program that takes the orchestrator's place. */
export const ORCHESTRATOR_VARIABLE = "CI_AUTO_TOOLS_ORCHESTRATOR_PATH";
