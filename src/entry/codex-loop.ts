import { randomUUID } from "node:crypto";
import { makePalette, wantsColours } from "../adapters/cli/colour.ts";
import type { CodexArguments } from "../adapters/codex/arguments.ts";
import { makeLoopReader } from "../adapters/codex/line-reader.ts";
import { type Loop, makeLoop } from "../adapters/codex/loop.ts";
import { openHistory } from "../adapters/codex/loop-history.ts";
import type { LoopMode } from "../adapters/codex/loop-session.ts";
import { toAddition } from "../adapters/codex/round.ts";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { findProgram, withSafePath } from "../base/find-program.ts";
import { stopAllPrograms } from "../base/subprocess/spawn.ts";
import { toMessage } from "../base/text.ts";
import { findOffIn, loadSettings } from "../config/load-settings.ts";
import { describeOff } from "../config/off-book.ts";
import { CLIENTS } from "../contract/clients.ts";
import { LIMITS } from "../contract/limits.ts";
import { makeTerminalFilter } from "../jobs/job/terminal-text.ts";
import type { KernelAnswer } from "../orchestrator/document.ts";
import { askText } from "./ask-text.ts";
import { emptyAnswer } from "./orchestrate.ts";
import { workingFolder } from "./process.ts";

/** Makes the loop for a user at a terminal. Contract: writes nothing yet. */
export async function makeTerminalLoop({ printsDocument }: CodexArguments, env: NodeJS.ProcessEnv): Promise<Loop> {
  const folder = workingFolder();
  const output = [process.stderr, process.stdout].find(({ isTTY }) => isTTY);
  const isDrawable = output !== undefined && env["TERM"] !== "dumb";
  const hasColours = wantsColours("auto", { isTerminal: process.stderr.isTTY === true, env });
  const { faint } = makePalette({ hasColours });
  const filterAnswer = process.stdout.isTTY ? makeTerminalFilter() : (text: string) => text;
  const filterRest = makeTerminalFilter();
  return makeLoop({
    reader: makeLoopReader({ input: process.stdin, output: output ?? process.stderr, isDrawable }),
    history: openHistory({ env, ...(await findHistoryPlace(env, folder)), nowMs: systemClock.nowMs }),
    env,
    folder,
    mode: toMode(env["CI_CODEX_SESSION_MODE"]),
    lookUp: async ({ text, env: asked, conversation, signal }) => {
      const client = { name: CLIENTS.codex.name, event: "cli", session_id: conversation } as const;
      const toInjected = (answer: KernelAnswer) => toAddition(text, answer);
      try {
        return await askText(text, { door: "codex", client, env: asked, folder, signal, toInjected });
      } catch (thrown) {
        // An internal error costs the evidence, not the question.
        return emptyAnswer({ code: "E_ORCHESTRATOR", detail: toMessage(thrown) }, { client, text, env: asked });
      }
    },
    findCodex: (asked) => {
      const safe = withSafePath({ ...asked }, folder);
      const codex = findProgram("codex", safe.PATH, null);
      return codex === null ? null : { codex, env: safe };
    },
    write: (text) => void process.stdout.write(filterAnswer(text)),
    tell: (text) => void process.stderr.write(filterRest(text)),
    // The line break is filtered too: it ends any escape sequence that the line began.
    note: (line) => void process.stderr.write(`${faint(filterRest(`${line}\n`).trimEnd())}\n`),
    stopNow: stopAllPrograms,
    whyOff: () => {
      const off = findOffIn({ env, folder });
      return off === null ? "" : LIMITS.off(describeOff(off)).text;
    },
    printsDocument,
    makeId: randomUUID,
  });
}

/** Maps the session mode that the user has named; by default the loop has a session of its own. */
function toMode(named: string | undefined): LoopMode {
  if (named === "exec") return "none";
  return named === "resume_last" ? "newest" : "own";
}

/** The history obeys the setting for all session memory. Unreadable settings switch it off. */
async function findHistoryPlace(env: Environment, folder: string): Promise<{ isKept: boolean; root: string }> {
  const loaded = await loadSettings({ env, folder, bounds: [] });
  if (!loaded.ok || loaded.value.fault !== null) return { isKept: false, root: folder };
  return { isKept: loaded.value.settings.sessionMemory, root: loaded.value.root.root };
}
