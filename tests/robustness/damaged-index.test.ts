import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { INDEX_FILES } from "../../src/engine/store/database.ts";
import { flipBytes, restoreFolder } from "../support/damage.ts";
import { commit, makeRepo } from "../support/git-repo.ts";
import { callTool, type IndexedRepo, makeIndexable, makeIndexedRepo } from "../support/indexed-repo.ts";
import { SHOP } from "../support/shop-repo.ts";
import { makeFolder } from "../support/temp-folder.ts";

/** Calls of every tool that reads the index; they share one engine, as in a prompt. */
const QUESTIONS = [
  ["ci_search", { query: "how is the price of an article computed?" }],
  ["ci_search", { query: "readRate" }],
  ["ci_graph_rag", { query: "what calls priceOf" }],
  ["ci_call_chain", { symbol: "readRate", direction: "callers" }],
  ["ci_bug_locate", { error: "Error: negative amount in the cart at priceOf (src/price.ts:6:27)" }],
  ["ci_impact", { symbol: "readRate" }],
  ["ci_complexity", { path: "src/price.ts" }],
  ["ci_hotspot", { days: 90 }],
] as const;

const FLIPS = 60;
/** Number of flips between rebuilds. */
const BUILDS_EVERY = 4;
const SAYS_DAMAGE = /the index cannot be read and is being rebuilt: ./;

/** Removes the latency, which differs every time. */
function withoutTimes(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data, (key, value: unknown) => (key === "latency_ms" ? 0 : value)));
}

async function ask(repo: IndexedRepo) {
  const engine = repo.engine();
  const answers = [];
  for (const [tool, args] of QUESTIONS) {
    const { result, limits, fault } = await callTool(repo, tool, args, { engine });
    answers.push({
      tool,
      data: withoutTimes(result.data ?? null),
      error: result.error.message,
      limits,
      fault: fault?.code ?? null,
    });
  }
  const status = await callTool(repo, "ci_index_status", {}, { engine: repo.engine() });
  engine.close();
  return { answers, status: String(status.result.data?.["index_status"] ?? status.result.error.message) };
}

let repo: IndexedRepo;
let copy: string;
let whole: Awaited<ReturnType<typeof ask>>;
let live: Awaited<ReturnType<typeof ask>>;

beforeAll(async () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `src/part${at}.ts`,
      `import { priceOf } from "./price.ts";\n\n/** Part ${at} of the shop. */\nexport function part${at}(count: number): number {\n  return priceOf("part${at}", count) + ${at};\n}\n`,
    ]),
  );
  const root = makeRepo([{ files: { ...SHOP, ...many }, subject: "begin", at: "2026-01-01T00:00:00Z" }]);
  commit(root, {
    files: { "src/rates.ts": `${SHOP["src/rates.ts"]}// x\n` },
    subject: "rates",
    at: "2026-01-05T00:00:00Z",
  });
  live = await ask(makeIndexable(root));
  repo = await makeIndexedRepo(root);
  copy = join(makeFolder(), "copy");
  cpSync(repo.folder, copy, { recursive: true, preserveTimestamps: true });
  whole = await ask(repo);
});

describe("[G D.2] an index with flipped bytes", () => {
  it("the answers from a whole index are complete, or this test proves nothing", () => {
    expect(whole.answers.filter(({ error }) => error !== "")).toEqual([]);
    expect(whole.answers.flatMap(({ limits }) => limits)).toEqual([]);
    expect(whole.status).toMatch(/^ready \(\d+ files\)$/);
  });

  it("[G D.2] every answer is correct, or made without the index and says why; the next build repairs it", async () => {
    const seen = { right: 0, live: 0 };
    for (let seed = 1; seed <= FLIPS; seed++) {
      restoreFolder(repo.folder, copy);
      const how = flipBytes(join(repo.folder, INDEX_FILES.database), seed);
      const { answers, status } = await ask(repo);
      const isSaid = answers.some(({ limits }) => limits.some((limit) => SAYS_DAMAGE.test(limit)));
      for (const [at, answer] of answers.entries()) {
        const told = `${how}, ${answer.tool}: ${answer.error} ${answer.limits.join("; ")}`;
        const isRight = same(answer, whole.answers[at]);
        seen[isRight ? "right" : "live"]++;
        if (isRight) continue;
        expect(toPlain(answer), told).toEqual(toPlain(live.answers[at]));
        // Complexity is measured in the file itself, regardless of the index.
        if (answer.tool !== "ci_complexity")
          expect(`${answer.limits.join("\n")}\n${answer.error}`, told).toMatch(SAYS_DAMAGE);
      }
      if (isSaid) expect(status, how).toMatch(SAYS_DAMAGE);
      if (seed % BUILDS_EVERY > 0) continue;
      expect(await repo.build(), how).toMatchObject({ outcome: "done" });
      const after = await ask(repo);
      expect(after.answers, how).toEqual(whole.answers);
      expect(after.status, how).toMatch(/^ready/);
    }
    // Both kinds must occur, or the test proves nothing.
    expect(seen.right).toBeGreaterThan(FLIPS);
    expect(seen.live).toBeGreaterThan(FLIPS);
  }, 600_000);
});

type Answer = Awaited<ReturnType<typeof ask>>["answers"][number];

function same(one: Answer, other: Answer | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Removes the reason why there is no index. */
function toPlain(answer: Answer | undefined) {
  const error = answer?.error.replace(/; the index cannot be read and is being rebuilt: .*(?=; run)/, "");
  return { data: answer?.data, error, fault: answer?.fault };
}
