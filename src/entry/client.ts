import { existsSync } from "node:fs";
import type { Environment } from "../base/environment.ts";
import { CLIENT_IDS, CLIENTS, findClient } from "../contract/clients.ts";
import type { Client } from "../contract/run-document.ts";
import type { Prompt } from "../orchestrator/judge.ts";

/** The client that asks, as the environment names it; Claude Code where it names none that is known. */
export function clientFrom(env: Environment, event: Client["event"]): Client {
  return { name: (findClient(env["CI_ORCH_CLIENT_NAME"] ?? "") ?? CLIENTS.claude).name, event };
}

/** What is wrong with the name that the environment gives the client; empty where nothing is. */
export function whyUnknown(env: Environment): string {
  const word = env["CI_ORCH_CLIENT_NAME"] ?? "";
  const isKnown = word === "" || findClient(word) !== undefined;
  return isKnown ? "" : `groundwork: unknown client ${word}; known are ${CLIENT_IDS.join(", ")}\n`;
}

/** The folder that a prompt is about: what the user set, what the client names, otherwise the process's own. */
export function folderOfPrompt({ folder }: Prompt, env: Environment, current: string): string {
  return env["WORKING_DIRECTORY"] || (folder !== undefined && existsSync(folder) ? folder : current);
}
