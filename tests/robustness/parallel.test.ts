import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeScratch, PROMPT, type Scratch } from "../e2e/scratch.ts";
import { type Format, findQuietProblems, withoutTimes } from "../support/answers.ts";
import { git } from "../support/git-repo.ts";
import { findLeftProcesses, listTree, MARKER } from "../support/leftovers.ts";
import { answerLimitMs, type DoorAnswer, runDoor } from "../support/run-door.ts";
import { makeFolder, writeFiles } from "../support/temp-folder.ts";

const MACHINE_FORMATS = ["hook", "json"] as const;

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch();
  const sources = Array.from({ length: 30 }, (_, at) => [
    `src/region/area${at}.ts`,
    `import { rateFor } from "../tax/lookup.ts";\n\n/** The tax of area ${at}. */\nexport function taxOf${at}(net: number): number {\n  return net * (rateFor("area${at}")?.rate ?? 0);\n}\n`,
  ]);
  writeFiles(scratch.repo, Object.fromEntries(sources));
  git(scratch.repo, ["add", "--all"]);
  git(scratch.repo, ["commit", "--quiet", "--message", "areas"]);
});
afterAll(() => scratch[Symbol.asyncDispose]());

/** Number of concurrent questions, in both machine formats. */
const COUNT = 64;

it("[ATO-FAIL-1] [ATO-FUSE-9] [ATO-BUD-1] 64 simultaneous doors in one repository: all answers are in time, valid and equal unless time ran out, and nothing is left behind", async () => {
  const marker = crypto.randomUUID();
  const env = { ...scratch.env, [MARKER]: marker };
  const before = listTree(scratch.repo);
  // The very first answer mentions that runs are kept.
  await ask("hook", env);
  const alone: string[] = [];
  for (const format of MACHINE_FORMATS)
    alone.push(...[await ask(format, env), await ask(format, withoutGit(env))].map(withoutHistory));
  const formats = Array.from({ length: COUNT }, (_, at) => MACHINE_FORMATS[at % 2] ?? "hook");
  const answers = await Promise.all(formats.map((format) => ask(format, env)));

  expect(answers.flatMap((answer, at) => findQuietProblems(formats[at] ?? "hook", answer))).toEqual([]);
  // All of them compete for the same CPUs as the probe that measures how slow the machine is.
  expect(answers.filter((answer) => answer.ms > answerLimitMs(answer, 10_000)).map(({ ms }) => ms)).toEqual([]);
  const others = answers.map(withoutHistory).filter((text) => !alone.includes(text));
  expect(others.filter((text) => !/there was time to read|E_TIMEOUT/.test(text))).toEqual([]);
  expect(await findLeftProcesses(marker)).toEqual([]);
  expect(listTree(scratch.repo)).toEqual(before);
});

/**
 * Returns an environment with a failing git: history is dropped if git is late, which may happen with so many at once.
 */
function withoutGit(env: Record<string, string>): Record<string, string> {
  const folder = makeFolder({ git: "#!/bin/sh\nexit 1\n" });
  chmodSync(join(folder, "git"), 0o755);
  return { ...env, PATH: [folder, env["PATH"]].join(delimiter) };
}

/**
 * Removes what history adds in each tool: commits, reasons, small changes of scores, and therefore of the number of
 * characters and of the mark, which is a hash of the text.
 */
function withoutHistory(answer: DoorAnswer): string {
  return withoutTimes(answer)
    .replace(/"recent_commits":\[.*?\]/g, '"recent_commits":[]')
    .replaceAll("; changed today", "")
    .replace(/"(?:\w+_)?(?:score|confidence)":[\d.e-]+/g, '"score":0')
    .replace(/(ci_\w+) \.\d\d/g, "$1 .00")
    .replace(/gw-[\da-f]{12}/g, "gw-0")
    .replace(/\d+ characters/g, "0 characters");
}

function ask(format: Format, env: Record<string, string>): Promise<DoorAnswer> {
  const input = JSON.stringify({ prompt: PROMPT });
  return runDoor({ cwd: scratch.repo, env, args: ["--format", format], input });
}
