import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import type { ClientId } from "../../src/contract/clients.ts";
import { groundwork } from "../support/doors.ts";
import { writeFiles } from "../support/temp-folder.ts";
import {
  claudeCommand,
  claudeEnv,
  codexCommand,
  copilotCommand,
  geminiCommand,
  kimiCommand,
  newerNodeFolder,
  opencodeCommand,
  qwenCommand,
} from "./clients.ts";
import { setUpCodex } from "./codex-home.ts";
import { type ClientResult, runClient } from "./run-client.ts";
import type { Scratch } from "./scratch.ts";

interface ClientHome {
  command: () => string;
  /** Path of the script that the client calls, relative to the home. */
  launcher: string;
  /** Path of the file with its time limit, relative to the home. */
  limit: string;
  /** The user's own settings before Groundwork is installed, by path relative to the home. */
  files?: (url: string) => Record<string, string>;
  env: (scratch: Scratch, url: string) => Record<string, string> | Promise<Record<string, string>>;
  /** Arguments for one prompt; if `again` is true, in the session of the previous one. */
  args: (prompt: string, again: boolean) => string[];
  /** True if the prompt goes to standard input. */
  isPiped?: boolean;
}

const withNewerNode = ({ env }: Scratch) => ({ PATH: [newerNodeFolder(), env["PATH"]].join(delimiter) });

/** How to set up and ask each client. */
const HOMES: Record<ClientId, ClientHome> = {
  claude: {
    command: claudeCommand,
    launcher: ".claude/hooks/context-inject-global.sh",
    limit: ".claude/settings.json",
    env: (_scratch, url) => claudeEnv(url),
    args: (prompt, again) => [...(again ? ["-c"] : []), "-p", prompt],
  },
  codex: {
    command: codexCommand,
    launcher: ".codex/hooks/groundwork.sh",
    limit: ".codex/hooks.json",
    env: setUpCodex,
    // A user trusts the hook once, at a terminal.
    args: (prompt, again) => [
      ...["exec", "-s", "read-only"],
      ...(again ? ["resume", "--last"] : []),
      ...["--dangerously-bypass-hook-trust", prompt],
    ],
  },
  gemini: {
    command: geminiCommand,
    launcher: ".gemini/hooks/groundwork.sh",
    limit: ".gemini/settings.json",
    files: () => ({ ".gemini/settings.json": '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }\n' }),
    // Otherwise it would restart itself with more memory.
    env: (_scratch, url) => ({
      GEMINI_API_KEY: "scripted",
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: "true",
    }),
    // Without a model name it would first ask another model which one to use.
    args: (prompt, again) => [
      ...["--skip-trust", "-m", "gemini-2.5-flash"],
      ...(again ? ["--resume", "latest"] : []),
      ...["-p", prompt],
    ],
  },
  copilot: {
    command: copilotCommand,
    launcher: ".copilot/hooks/groundwork.sh",
    limit: ".copilot/hooks/groundwork.json",
    env: (_scratch, url) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "scripted",
      COPILOT_MODEL: "scripted",
    }),
    args: (prompt, again) => [...(again ? ["--continue"] : []), "-p", prompt],
  },
  qwen: {
    command: qwenCommand,
    launcher: ".qwen/hooks/groundwork.sh",
    limit: ".qwen/settings.json",
    env: (scratch, url) => ({
      ...withNewerNode(scratch),
      OPENAI_API_KEY: "scripted",
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: "scripted",
    }),
    args: (prompt, again) => ["--auth-type", "openai", ...(again ? ["--continue"] : []), "-p", prompt],
  },
  kimi: {
    command: kimiCommand,
    launcher: ".kimi-code/hooks/groundwork.sh",
    limit: ".kimi-code/config.toml",
    files: (url) => ({
      ".kimi-code/config.toml": `default_model = "scripted"

[providers.scripted]
type = "openai"
base_url = "${url}/v1"
api_key = "scripted"

[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 100000
`,
    }),
    env: withNewerNode,
    args: (prompt, again) => [...(again ? ["--continue"] : []), "-p", prompt],
  },
  opencode: {
    command: opencodeCommand,
    launcher: ".config/opencode/hooks/groundwork.sh",
    limit: ".config/opencode/plugins/groundwork.js",
    files: opencodeFiles,
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: "true",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "true",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "true",
      OPENCODE_DISABLE_MODELS_FETCH: "true",
    }),
    // As an argument, it would be sent in quotes.
    isPiped: true,
    args: (_prompt, again) => ["run", ...(again ? ["--continue"] : [])],
  },
};

/** opencode's settings, and the files of its first start: if there is a plugin, it waits to install them from npm. */
function opencodeFiles(url: string): Record<string, string> {
  const options = { baseURL: `${url}/v1`, apiKey: "scripted" };
  const scripted = { npm: "@ai-sdk/openai-compatible", options, models: { scripted: {} } };
  const model = "scripted/scripted";
  const dependencies = { "@opencode-ai/plugin": "1.18.33" };
  const lock = { lockfileVersion: 3, packages: { "": { dependencies } } };
  return {
    ".config/opencode/opencode.json": JSON.stringify({ provider: { scripted }, model, small_model: model }),
    ".config/opencode/package.json": JSON.stringify({ dependencies }),
    ".config/opencode/package-lock.json": JSON.stringify(lock),
    ".config/opencode/node_modules/.keep": "",
  };
}

/** A client in a scratch home that calls Groundwork for every prompt. */
export interface ReadyClient {
  /** Path of the script that it calls. */
  launcher: string;
  /** Path of the settings file with the time limit of the script. */
  limit: string;
  env: Record<string, string>;
  /** Sends it a prompt; if `again` is true, in the session of the previous one. */
  ask: (prompt: string, how?: { again?: boolean; more?: string[] }) => Promise<ClientResult>;
  /** Changes the time limit of the script from the usual twenty seconds. */
  allowSeconds: (seconds: number) => void;
}

/** Sets up a client with `groundwork install`, with the scripted server as its only model. */
export async function setUpClient(
  id: ClientId,
  scratch: Scratch,
  url: string,
  options: string[] = [],
): Promise<ReadyClient> {
  const { command, launcher, limit, files, env: envOf, args, isPiped = false } = HOMES[id];
  const env = { ...scratch.env, ...(await envOf(scratch, url)) };
  if (files !== undefined) writeFiles(scratch.home, files(url));
  const installing = ["install", "--yes", "--client", id, ...options];
  const { code, stdout, stderr } = await runClient(groundwork, installing, { cwd: scratch.repo, env });
  expect(code, `${stdout}${stderr}`).toBe(0);
  const limitFile = join(scratch.home, limit);
  return {
    launcher: join(scratch.home, launcher),
    limit: limitFile,
    env,
    ask(prompt, { again = false, more = [] } = {}) {
      const input = isPiped ? { input: prompt } : {};
      return runClient(command(), [...more, ...args(prompt, again)], { cwd: scratch.repo, env, ...input });
    },
    allowSeconds(seconds) {
      const text = readFileSync(limitFile, "utf8");
      const shorter = text.replace(/((?:timeout(?:Sec)?"?|LIMIT_MS)\s*[:=]\s*)20(?=_?000\b|\b)/, `$1${seconds}`);
      expect(shorter).not.toBe(text);
      writeFileSync(limitFile, shorter);
    },
  };
}

/** Writes a shell script. */
export function writeScript(path: string, body: string): void {
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}
