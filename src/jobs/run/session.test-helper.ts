import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FakeCodex } from "../../../tests/support/fake-codex.ts";
import { HISTORY_SETTINGS } from "../../../tests/support/git-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { succeed } from "../../contract/faults.ts";
import { findHistoryStart } from "../../engine/history/git-folder.ts";
import { type RunDeps, refuseStart, runSession } from "./session.ts";
import { parseStartOptions } from "./start-options.ts";

/** Body of a Codex stub that answers, in sh. */
export const ANSWER = `echo '{"type":"thread.started","thread_id":"t1"}'
echo '{"type":"item.completed","item":{"type":"agent_message","text":"hello"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}'
echo hello >"$last"`;

const GIT_SOURCE = { findStart: findHistoryStart, plainGit: HISTORY_SETTINGS.plainGit };

interface Wish {
  readonly codex?: FakeCodex;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly deps?: Partial<RunDeps>;
}

/** Runs start.sh's options in this process and returns everything observable. */
export async function start(argv: readonly string[], { codex, cwd = makeFolder(), env = {}, deps = {} }: Wish = {}) {
  const told: string[] = [];
  let shown = "";
  const given = { PATH: codex?.path ?? "/none", ...env };
  const all: RunDeps = {
    argv,
    script: "start.sh",
    cwd,
    env: given,
    home: cwd,
    clock: systemClock,
    sessionsRoot: join(cwd, ".codex-father/sessions"),
    readStdin: async () => "",
    enrich: async () => succeed(""),
    signal: new AbortController().signal,
    tell: (line) => told.push(line),
    show: (text) => {
      shown += text;
    },
    gitSource: GIT_SOURCE,
    ...deps,
  };
  const options = parseStartOptions(argv, given);
  const result = options.ok ? await runSession(options.value, all) : refuseStart(options.fault, all);
  const text = (path: string | undefined) =>
    path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : "";
  const { paths } = result;
  return {
    ...result,
    told,
    shown,
    cwd,
    log: text(paths?.log),
    files: paths === null ? [] : readdirSync(paths.folder).sort(),
    read: (ending: string) => text(`${paths?.base}${ending}`),
    outcome: () => JSON.parse(text(join(paths?.folder ?? "", "outcome.json"))),
  };
}

/** Splits a log into lines. */
export const linesOf = (log: string) => log.trimEnd().split("\n");
