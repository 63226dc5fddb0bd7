import type { Environment } from "../../base/environment.ts";
import type { KernelAnswer } from "../../orchestrator/document.ts";
import { isPlan } from "../../orchestrator/document.ts";
import { toMessageForUser, toSummary } from "../hook/print.ts";
import type { LineReader } from "./line-reader.ts";
import type { LoopHistory } from "./loop-history.ts";
import { LOOP_HELP, type LoopCommand, readLoopInput } from "./loop-input.ts";
import { type LoopMode, NEW_SESSION, runSessionRound, toCodexCommand } from "./loop-session.ts";

interface LoopQuestion {
  readonly text: string;
  readonly env: Environment;
  /** Id of the conversation, so that a follow-up can be resolved. */
  readonly conversation: string;
  readonly signal: AbortSignal;
}

interface LoopParts {
  readonly reader: LineReader;
  readonly history: LoopHistory;
  readonly env: Environment;
  readonly folder: string;
  readonly mode: LoopMode;
  /** Looks up the evidence for a question. Contract: never throws. */
  readonly lookUp: (question: LoopQuestion) => Promise<KernelAnswer>;
  /** Returns the codex program and its environment; null if it is not found. */
  readonly findCodex: (env: Environment) => { readonly codex: string; readonly env: Environment } | null;
  /** Writes answers. */
  readonly write: (text: string) => void;
  /** Writes all other texts. */
  readonly tell: (text: string) => void;
  /** Writes a one-line progress note. */
  readonly note: (line: string) => void;
  /** Immediately stops everything that a turn has started. */
  readonly stopNow: () => void;
  /** Returns what `groundwork off` reports for this folder; empty if it is not switched off. */
  readonly whyOff: () => string;
  readonly printsDocument: boolean;
  readonly makeId: () => string;
}

/** A loop at a terminal. */
export interface Loop {
  /** Runs until the user leaves. */
  readonly answerAll: () => Promise<void>;
  /** Handles Ctrl-C while something runs: ends the turn, or stops it immediately the second time. */
  readonly interrupt: () => void;
  /** Restores the terminal. */
  readonly close: () => void;
}

const HOW_TO_LEAVE = "Ctrl-D or /exit leaves.\n";
const NO_CODEX = "codex is not on PATH; install it with: npm install -g @openai/codex\n";

/** Makes a loop: inputs are handled one after another, each looked up and passed to codex in one session. */
export function makeLoop(parts: LoopParts): Loop {
  const { reader, history, mode, tell, write, note } = parts;
  let session = NEW_SESSION;
  let conversation = parts.makeId();
  let isOff = false;
  let isAskedOn = false;
  let last: KernelAnswer | null = null;
  let turn: AbortController | null = null;

  const envNow = (more: Environment = {}): Environment => ({
    ...parts.env,
    ...(isOff ? { CI_AUTO_TOOLS: "off" } : isAskedOn ? { CI_AUTO_TOOLS: "auto" } : {}),
    ...more,
  });

  /** Runs work that Ctrl-C can end. */
  const takeTurn = async (work: (signal: AbortSignal) => Promise<void>) => {
    turn = new AbortController();
    const { signal } = turn;
    await work(signal);
    turn = null;
    if (signal.aborted) note("stopped");
  };

  const showPlan = (answer: KernelAnswer) => {
    if (parts.printsDocument) return write(`${JSON.stringify(answer.document)}\n`);
    write(toSummary(answer.document));
    note(`then: ${toCodexCommand(session, mode)}`);
  };

  const ask = (text: string) =>
    takeTurn(async (signal) => {
      const env = envNow();
      const answer = await parts.lookUp({ text, env, conversation, signal });
      if (signal.aborted) return;
      if (isPlan(answer.document)) return showPlan(answer);
      last = answer;
      const summary = isOff ? "" : toMessageForUser(answer, "/off");
      if (summary !== "") note(summary);
      const found = parts.findCodex(env);
      if (found === null) return tell(NO_CODEX);
      if (parts.printsDocument) write(`${JSON.stringify(answer.document)}\n`);
      const { folder } = parts;
      const show = (shown: { readonly answer: string; readonly progress: readonly string[] }) => {
        // Output of a stopped turn is discarded.
        if (signal.aborted) return;
        for (const line of shown.progress) note(line);
        if (shown.answer !== "") write(shown.answer);
      };
      const end = await runSessionRound({ ...found, prompt: text, answer, session, mode, folder, show, tell, signal });
      // Follow-ups must not refer to what a different session was told.
      if (session.hasBegun && end.session.id !== session.id) conversation = parts.makeId();
      session = end.session;
      if (signal.aborted) return;
      if (end.code !== 0) note(`codex ended with exit code ${end.code}`);
      tell("\n");
    });

  const plan = (text: string) =>
    takeTurn(async (signal) => {
      const env = envNow({ CI_AUTO_TOOLS_DRY_RUN: "1" });
      const answer = await parts.lookUp({ text, env, conversation, signal });
      if (!signal.aborted) showPlan(answer);
    });

  const switchTo = (off: boolean) => {
    isOff = off;
    isAskedOn = !off;
    const why = off ? "" : parts.whyOff();
    if (why !== "") return tell(`Evidence stays off: ${why}\n`);
    tell(off ? "Evidence is off; /on switches it on again.\n" : "Evidence is on.\n");
  };

  const showLast = () => {
    if (last === null) return tell("Nothing has been looked up yet.\n");
    const block = last.document.fused_context.for_model.additional_context;
    write(`${[toSummary(last.document).trim(), block].filter(Boolean).join("\n\n")}\n`);
  };

  const obey = async (name: LoopCommand, rest: string): Promise<void> => {
    switch (name) {
      case "plan":
        return rest === "" ? tell("/plan needs a question: /plan who calls rateFor?\n") : plan(rest);
      case "show":
        return showLast();
      case "off":
      case "on":
        return switchTo(name === "off");
      case "new":
        session = NEW_SESSION;
        conversation = parts.makeId();
        return tell("The next question starts a new session.\n");
      case "help":
        return tell(LOOP_HELP);
    }
  };

  const answerAll = async () => {
    note("codex-auto: ask about this folder; /help says what else, Ctrl-D leaves.");
    for (;;) {
      const prompt = isOff ? "codex-auto (no evidence)> " : "codex-auto> ";
      const typed = await reader.read({ prompt, goOn: "… ", history: history.entries() });
      if (typed.kind === "end") return tell("\n");
      if (typed.kind === "dropped") {
        if (typed.wasEmpty) tell(HOW_TO_LEAVE);
        continue;
      }
      const input = readLoopInput(typed.text);
      if (input.kind === "nothing") continue;
      if (input.kind === "leave") return;
      history.add(typed.text);
      if (input.kind === "prompt") await ask(input.text);
      else if (input.kind === "command") await obey(input.name, input.rest);
      else tell(`/${input.name} is not a command; /help lists them. Start the line with a space to send it.\n`);
    }
  };

  const interrupt = () => {
    if (turn === null) return tell(`\n${HOW_TO_LEAVE}`);
    tell("\n");
    if (turn.signal.aborted) parts.stopNow();
    turn.abort();
  };

  return { answerAll, interrupt, close: reader.close };
}
