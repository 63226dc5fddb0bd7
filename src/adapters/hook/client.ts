import { existsSync } from "node:fs";
import type { Environment } from "../../base/environment.ts";
import { CLIENT_IDS, CLIENTS, findClient } from "../../contract/clients.ts";
import type { Client } from "../../contract/run-document.ts";
import type { Prompt } from "../../orchestrator/judge.ts";

/** The client named by the environment; Claude Code if it names no known client. */
export function clientFrom(env: Environment, event: Client["event"]): Client {
  return { name: (findClient(env["CI_ORCH_CLIENT_NAME"] ?? "") ?? CLIENTS.claude).name, event };
}

/** Error message about the client name in the environment; empty if the name is valid or absent. */
export function whyUnknown(env: Environment): string {
  const word = env["CI_ORCH_CLIENT_NAME"] ?? "";
  const isKnown = word === "" || findClient(word) !== undefined;
  return isKnown ? "" : `groundwork: unknown client ${word}; known are ${CLIENT_IDS.join(", ")}\n`;
}

/**
 * The folder that a prompt is about: set by the user, else named by the client, else the working folder of the process.
 */
export function folderOfPrompt({ folder }: Prompt, env: Environment, current: string): string {
  return env["WORKING_DIRECTORY"] || (folder !== undefined && existsSync(folder) ? folder : current);
}
