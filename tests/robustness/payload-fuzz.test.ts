import { afterAll, beforeAll, expect, it } from "vitest";
import { makeScratch, type Scratch } from "../e2e/scratch.ts";
import { FORMATS, type Format, findQuietProblems, toContext, toDocument } from "../support/answers.ts";
import { askInProcess } from "../support/door-in-process.ts";
import { hasPrompt, hostilePayloads, makeRandomPayloads, type Payload } from "../support/payloads.ts";
import { answerLimitMs, type DoorAnswer, type DoorCall, runDoor, runPool } from "../support/run-door.ts";
import { writeFiles } from "../support/temp-folder.ts";

const SEED = Number(process.env["GROUNDWORK_FUZZ_SEED"] ?? 20_261_115);
/** Number of random payloads, a third for each format. */
const COUNT = 300;
/** Number of these that go through the real door, in addition to every second hostile one. */
const THROUGH_THE_DOOR = 15;
const AT_ONCE = 4;
/** Lines in which any cut falls inside a surrogate pair. */
const EMOJI = ["", "a", "ab", "abc"].map(
  (start) => `/** ${start}${"😀".repeat(400)} */\nexport const rate${start} = 1;\n`,
);

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch();
  writeFiles(scratch.repo, { "src/tax/emoji.ts": EMOJI.join("") });
});
afterAll(() => scratch[Symbol.asyncDispose]());

const random = makeRandomPayloads(SEED, COUNT);

it.each(FORMATS)(
  "[ATO-FAIL-1] [ATO-FAIL-3] [ATO-JSON-1] [ATO-JSON-4] random and hostile payloads: %s is always valid",
  async (format) => {
    const mine = random.filter((_, at) => at % FORMATS.length === FORMATS.indexOf(format));
    const failures: string[] = [];
    // Without git, because history does not depend on payloads and would start a process for each.
    const ask = (call: DoorCall) => askInProcess({ ...call, env: { ...call.env, PATH: "" } });
    for (const payload of [...hostilePayloads, ...mine]) failures.push(...(await check(format, payload, ask)));
    expect(failures.join("\n\n"), `seed ${SEED}`).toBe("");
  },
);

// Tests what only a process can show: reading a pipe, exit codes, standard error. Formats alternate.
it("[ATO-FAIL-1] [ATO-FAIL-3] [ATO-JSON-1] [ATO-JSON-4] the same through the door: always valid", {
  timeout: 120_000,
}, async () => {
  const payloads = [...hostilePayloads.filter((_, at) => at % 2 === 0), ...random.slice(0, THROUGH_THE_DOOR)];
  const failures = await runPool(payloads, AT_ONCE, (payload, at) =>
    check(FORMATS[at % FORMATS.length] ?? "hook", payload, runDoor),
  );
  expect(failures.flat().join("\n\n"), `seed ${SEED}`).toBe("");
});

/** Describes everything that is wrong with the answer to a payload, in at most one text. */
async function check(
  format: Format,
  payload: Payload,
  ask: (call: DoorCall) => Promise<DoorAnswer>,
): Promise<string[]> {
  const { repo: cwd, env } = scratch;
  const answer = await ask({ cwd, env, args: ["--format", format], input: payload.bytes });
  const problems = [...findQuietProblems(format, answer), ...inputProblems(format, payload, answer)];
  return problems.length === 0 ? [] : [describe(payload, problems)];
}

/** An invalid prompt counts as empty: nothing is injected, the reason is reported, exit code 0. */
function inputProblems(format: Format, { bytes }: Payload, answer: DoorAnswer): string[] {
  const slow = answer.ms > answerLimitMs(answer) ? [`took ${answer.ms} ms`] : [];
  if (hasPrompt(bytes)) return slow;
  if (answer.code !== 0) return [...slow, `exit code ${answer.code} for an empty prompt`];
  if (format === "hook") return toContext(answer) === "" ? slow : [...slow, "context for an empty prompt"];
  const said = format === "text" ? answer.stdout.toString() : toDocument(answer).fused_context.for_user.limits_text;
  return said.startsWith("[Limits] ") ? slow : [...slow, "no limit for an empty prompt"];
}

function describe({ name, bytes }: Payload, problems: readonly string[]): string {
  const shown = JSON.stringify(bytes.subarray(0, 600).toString("latin1"));
  return `${name} (${bytes.length} bytes): ${problems.join("; ")}\n  ${shown}`;
}
