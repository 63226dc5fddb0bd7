import { chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import type { Prompt } from "./judge.ts";
import { claimTurn, isAnswered } from "./turn-claim.ts";

const NOW_MS = 1_800_000_000_000;

function asked(more: Partial<Prompt> = {}, session = "s"): Prompt {
  const client = { name: "claude-code", event: "UserPromptSubmit", session_id: session } as const;
  return { text: "who calls f?", client, hints: {}, asksForTool: false, limits: [], turnId: "t", ...more };
}

const makeEnv = () => ({ GROUNDWORK_HOME: join(makeFolder(), "state") });

it("[P-5] exactly one of two hooks claims a turn; other turns and sessions are independent", () => {
  const env = makeEnv();
  expect(isAnswered(asked(), env)).toBe(false);
  expect([claimTurn(asked(), env, NOW_MS), claimTurn(asked(), env, NOW_MS)]).toEqual([true, false]);
  expect(isAnswered(asked(), env)).toBe(true);
  expect(claimTurn(asked({ turnId: "u" }), env, NOW_MS)).toBe(true);
  expect(claimTurn(asked({}, "other"), env, NOW_MS)).toBe(true);
});

it("[P-5] a turn without an id is always claimed, as is any turn without a state folder", () => {
  const { turnId, ...nameless } = asked();
  const env = makeEnv();
  expect([claimTurn(nameless, env, NOW_MS), claimTurn(nameless, env, NOW_MS)]).toEqual([true, true]);
  expect([claimTurn(asked(), {}, NOW_MS), claimTurn(asked(), {}, NOW_MS)]).toEqual([true, true]);
  const shared = makeFolder();
  mkdirSync(join(shared, "turns"));
  chmodSync(join(shared, "turns"), 0o777);
  expect([1, 2].map(() => claimTurn(asked(), { GROUNDWORK_HOME: shared }, NOW_MS))).toEqual([true, true]);
});

it("[P-5] a prompt with evidence from one of our doors is already answered", () => {
  const text = "who calls f?\n\n[groundwork run 20260101-000000-abcdef]\n…";
  expect(isAnswered(asked({ text }), makeEnv())).toBe(true);
  expect(isAnswered(asked({ text: "what does [groundwork run 20260101-000000-abcdef] mean?" }), makeEnv())).toBe(false);
});

it("removes old claims", () => {
  const env = makeEnv();
  claimTurn(asked(), env, NOW_MS);
  const folder = join(env.GROUNDWORK_HOME, "turns");
  const [first = ""] = readdirSync(folder);
  utimesSync(join(folder, first), (NOW_MS - 7_200_000) / 1_000, (NOW_MS - 7_200_000) / 1_000);
  writeFileSync(join(folder, "not ours"), "");
  claimTurn(asked({ turnId: "u" }), env, NOW_MS);
  expect(readdirSync(folder)).toHaveLength(2);
  expect(readdirSync(folder)).not.toContain(first);
});
