import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../support/doors.ts";

const CLIENTS = "tests/e2e/clients";
const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * The program that starts the real Claude Code.
 *
 * Contract: throws, saying what to run, when the client is not installed.
 */
export function claudeCommand(): string {
  // `node_modules/.bin/claude` is only a placeholder after `npm ci --ignore-scripts`: the install script would have
  // copied the platform package's program over it.
  return installed(`@anthropic-ai/claude-code-${PLATFORM}${isMusl() ? "-musl" : ""}/claude`);
}

/** Variables that make Claude Code talk to a scripted model and to nobody else. */
export function claudeEnv(modelUrl: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // It would go on trying for minutes if the server were gone.
    CLAUDE_CODE_MAX_RETRIES: "0",
    DISABLE_AUTOUPDATER: "1",
  };
}

/**
 * The program that starts the real Codex: npm's launcher, as users have it on their PATH. It needs `node` on the PATH.
 *
 * Contract: throws, saying what to run, when the client is not installed.
 */
export function codexCommand(): string {
  installed(`@openai/codex-${PLATFORM}/package.json`);
  return installed("@openai/codex/bin/codex.js");
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
