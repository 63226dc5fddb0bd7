import { expect, it } from "vitest";
import { codexAutoDoor } from "../support/doors.ts";
import { KEYS, startOnTerminal } from "../support/pseudo-terminal.ts";
import { setUpCodex } from "./codex-home.ts";
import { findEvidence } from "./evidence.ts";
import { ANSWER } from "./model-apis/api.ts";
import { startModelServer } from "./model-server.ts";
import { DECISIVE_FILE, makeScratch } from "./scratch.ts";

const ASK = "codex-auto> ";

it("[P-4] two rounds of a loop share a session by its id, and two loops in one folder stay apart", {
  timeout: 240_000,
}, async () => {
  await using model = await startModelServer();
  await using scratch = await makeScratch();
  const env = { ...(await setUpCodex(scratch, model.url)), NO_COLOR: "1" };
  const start = () => startOnTerminal([codexAutoDoor], { cwd: scratch.repo, env });
  await using one = start();
  await using other = start();
  const ask = async (loop: typeof one, question: string) => {
    loop.type(`${question}${KEYS.enter}`);
    await loop.until(ANSWER);
    await loop.until(ASK);
  };
  for (const loop of [one, other]) await loop.until(ASK);
  const questions = [
    "who calls rateFor here?",
    "what does computeTotal do?",
    `and ${DECISIVE_FILE}?`,
    "thank you, goodbye",
  ];
  // Alternating, so that the newest session of the folder always belongs to the other loop.
  for (const [at, question] of questions.entries()) await ask(at % 2 === 0 ? one : other, question);

  const asked = model.requests.filter(({ path }) => path === "/v1/responses").map(({ messages }) => messages);
  const seen = asked.map((messages) =>
    messages
      .filter(({ role }) => role === "user")
      .map(({ texts }) => texts.join("\n").split("\n")[0])
      .filter((line) => questions.includes(line ?? "")),
  );
  const [first, second, third, fourth] = questions;
  expect(seen).toEqual([[first], [second], [first, third], [second, fourth]]);
  expect(findEvidence(asked[0]?.at(-1)?.texts.join("\n") ?? "")).toContain(DECISIVE_FILE);
  for (const loop of [one, other]) {
    loop.type(KEYS.ctrlD);
    expect(await loop.ended).toBe(0);
  }
});
