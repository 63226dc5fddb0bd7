import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../support/temp-folder.ts";
import { codexCommand } from "./clients.ts";
import type { Scratch } from "./scratch.ts";

/**
 * Puts the real `codex` on the PATH and makes the scripted server its only model. Returns the environment to run it in.
 * `more` is added to its configuration.
 */
export async function setUpCodex(scratch: Scratch, url: string, more = ""): Promise<Record<string, string>> {
  await symlink(codexCommand(), join(scratch.bin, "codex"));
  // Without these, retries would never end if the server were gone, and plugins would be looked up on GitHub.
  const config = `model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 0
stream_max_retries = 0

[features]
unbounded_connection_retries = false
plugins = false
${more}`;
  writeFiles(scratch.home, { ".codex/config.toml": config });
  return { ...scratch.env, CODEX_HOME: join(scratch.home, ".codex"), SCRIPTED_API_KEY: "scripted" };
}
