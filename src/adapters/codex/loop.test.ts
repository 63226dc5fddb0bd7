import { expect, it } from "vitest";
import { makeEmptyAnswer } from "../../orchestrator/document.ts";
import { makeLoop } from "./loop.ts";

it("[P-4] the first Ctrl-C asks a turn to end, the second kills it; at the prompt it says how to leave", async () => {
  const said: string[] = [];
  const inputs = ["fix it", "exit"];
  let begin = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const client = { name: "codex-cli", event: "cli" } as const;
  const answer = makeEmptyAnswer({ client, prompt: "", reason: "", limits: [] }, { exitCode: 0, notices: [] });
  const loop = makeLoop({
    reader: { read: async () => ({ kind: "text", text: inputs.shift() ?? "exit" }), close: () => {} },
    history: { entries: () => [], add: (text) => said.push(`kept ${text}`) },
    env: {},
    folder: "/",
    mode: "own",
    lookUp: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => said.push("asked to end"));
        begin();
        // Ignores the signal: only `stopNow` ends it.
        end = () => resolve(answer);
      }),
    findCodex: () => {
      throw new Error("what was stopped must not start codex");
    },
    write: (text) => said.push(text),
    tell: (text) => said.push(text),
    note: (line) => said.push(line),
    stopNow: () => {
      said.push("ended");
      end();
    },
    whyOff: () => "",
    printsDocument: false,
    makeId: () => "id",
  });
  loop.interrupt();
  const ran = loop.answerAll();
  await hasBegun;
  loop.interrupt();
  expect(said.at(-1)).toBe("asked to end");
  loop.interrupt();
  await ran;
  expect(said.filter((text) => text.trim() !== "")).toEqual([
    "\nCtrl-D or /exit leaves.\n",
    expect.stringContaining("/help"),
    "kept fix it",
    "asked to end",
    "ended",
    "stopped",
  ]);
});

let end = () => {};
