import type { TeamStats } from "../../src/contract/figures.ts";
import type { RunDetail, RunRow } from "../../src/contract/run-history.ts";
import type { JobRow, RepositoryView } from "../../src/web/wire.ts";
import { DEMO_QUESTIONS, makeDemoDetail } from "./demo-documents.ts";
import { makeKey, type PageContent } from "./page-sources.ts";
import { makeRandom } from "./random.ts";

const REPO = "/home/ada/work/orchard-shop";
const OTHER = "/home/ada/work/orchard-app";
const DAY_MS = 86_400_000;
const CLIENTS = ["claude-code", "claude-code", "codex-cli", "claude-code", "gemini-cli"] as const;
const REASONS = [
  "not about this repository's code; nothing injected (CI_AUTO_TOOLS=on asks anyway)",
  "not about this repository's code; nothing injected (CI_AUTO_TOOLS=on asks anyway)",
  "empty prompt",
  "nothing found; a path, a symbol name or the error text in the question would help",
];

/** Makes the `at`-th run of the demo. */
export function makeDemoRun(at: number, atMs: number, chance: () => number = makeRandom(at + 1)): RunDetail {
  const question = DEMO_QUESTIONS[at % DEMO_QUESTIONS.length] ?? DEMO_QUESTIONS[0];
  if (question === undefined) throw new Error("there are no questions");
  const run = {
    key: makeKey(at, atMs),
    runId: `${new Date(atMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}-${hex(at)}`,
    atMs,
    repo: at % 5 === 3 ? OTHER : REPO,
    client: CLIENTS[at % CLIENTS.length] ?? "claude-code",
    door: at % 11 === 5 ? ("cli" as const) : ("hook" as const),
    ms: Math.round(90 + chance() * 160 + (chance() > 0.9 ? chance() * 900 : 0)),
  };
  const whole = makeDemoDetail(question, run);
  if (at % 13 === 6)
    return { ...whole, row: { ...whole.row, outcome: "guess", injected_chars: 388, intent: "explore" } };
  if (at % 3 !== 2) return at % 17 === 4 ? { ...whole, row: { ...whole.row, verdict: "useful" } } : whole;
  const reason = REASONS[at % REASONS.length] ?? "";
  const row: RunRow = {
    ...whole.row,
    outcome: "silent",
    intent: "none",
    prompt: "",
    injected_chars: 0,
    duration_ms: Math.round(18 + chance() * 25),
    tools: [],
    limits: [reason],
    reason,
  };
  return { row, document: null, injected: "", client_max: 9_500, timeline: [], cut: [] };
}

function hex(at: number): string {
  return (Math.imul(at + 7, 2_654_435_761) >>> 8).toString(16).padStart(6, "0").slice(-6);
}

/** Figures of a team of seven. */
export function makeDemoTeam(nowMs: number): TeamStats {
  const chance = makeRandom(11);
  const per_day = Array.from({ length: 30 }, (_, at) => {
    const day = new Date(nowMs - (29 - at) * DAY_MS);
    const isWeekend = day.getUTCDay() % 6 === 0;
    const runs = Math.round((isWeekend ? 8 : 150) + chance() * (isWeekend ? 20 : 80));
    const [with_evidence, silent] = [Math.round(runs * (0.6 + chance() * 0.1)), Math.round(runs * 0.28)];
    const p95 = chance() > 0.8 ? 500 : 300;
    const injected_chars = with_evidence * 3_100;
    return { day: day.toISOString().slice(0, 10), runs, with_evidence, silent, p50: 100, p95, injected_chars };
  });
  const sum = (pick: (day: (typeof per_day)[number]) => number) => per_day.reduce((all, day) => all + pick(day), 0);
  const [runs, given, silent] = [sum((day) => day.runs), sum((day) => day.with_evidence), sum((day) => day.silent)];
  const failed = Math.round(runs * 0.01);
  const guess = Math.round(given * 0.08);
  return {
    days: 30,
    clients: 7,
    few_clients: false,
    runs,
    outcomes: { evidence: given - guess, guess, plan: runs - given - silent - failed, silent, failed },
    latency_ms: { p50: 100, p95: 300 },
    injected_chars: sum((day) => day.injected_chars),
    tools: {
      ci_search: { runs: given, failed: 12 },
      ci_index_status: { runs: given, failed: 0 },
      ci_graph_rag: { runs: Math.round(given * 0.7), failed: 190 },
      ci_call_chain: { runs: Math.round(given * 0.31), failed: 4 },
      other: { runs: 41, failed: 9 },
    },
    limits: { notCode: Math.round(silent * 0.8), itemsCut: 611, nothingFound: Math.round(silent * 0.2), E_TIMEOUT: 44 },
    asked_by: { "claude-code": Math.round(runs * 0.7), "codex-cli": Math.round(runs * 0.25), other: 12 },
    useful: 96,
    useless: 11,
    per_day,
  };
}

/** Makes the content of the pictures in the documentation: a month of work on two repositories. */
export function makeDemoContent(nowMs: number): PageContent {
  const chance = makeRandom(20_261_117);
  const runs: RunDetail[] = [];
  for (let day = 29; day >= 0; day--) {
    const weekday = new Date(nowMs - day * DAY_MS).getUTCDay();
    const count = weekday === 0 || weekday === 6 ? Math.floor(chance() * 5) : 14 + Math.floor(chance() * 22);
    const times = Array.from({ length: day === 0 ? 12 : count }, () => nowMs - day * DAY_MS - chance() * 8 * 3_600_000);
    for (const atMs of times.sort((a, b) => a - b)) runs.push(makeDemoRun(runs.length, Math.floor(atMs), chance));
  }
  // The newest run is the one that is opened.
  const at = runs.length + (DEMO_QUESTIONS.length - (runs.length % DEMO_QUESTIONS.length));
  const newest = DEMO_QUESTIONS[0];
  if (newest !== undefined)
    runs.push(
      makeDemoDetail(newest, {
        key: makeKey(at, nowMs - 40_000),
        runId: `${new Date(nowMs - 40_000).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}-4be1c0`,
        atMs: nowMs - 40_000,
        repo: REPO,
        client: "claude-code",
        door: "hook",
        ms: 184,
      }),
    );
  return {
    runs,
    state: { here: REPO },
    jobs: makeJobs(nowMs),
    job: { changes: CHANGES },
    repository: makeRepository(nowMs),
  };
}

const CHANGES = [
  { path: "src/payment/retry.ts", added: 31, removed: 12 },
  { path: "src/payment/retry.test.ts", added: 54, removed: 0 },
  { path: "docs/payments.md", added: 6, removed: 2 },
];

function makeJobs(nowMs: number): JobRow[] {
  const job = (id: string, minutes: number, more: Partial<JobRow>): JobRow => ({
    id,
    state: "completed",
    exit_code: 0,
    classification: "success",
    tokens_used: "48210",
    cwd: REPO,
    created_at: new Date(nowMs - minutes * 60_000).toISOString(),
    updated_at: new Date(nowMs - (minutes - 2) * 60_000).toISOString(),
    tag: "",
    title: "",
    ...more,
  });
  return [
    job("cdx-20261117_141200-retry", 4, {
      state: "running",
      exit_code: null,
      classification: "",
      tokens_used: "",
      title: "make the retry delay of the payment client exponential and test it",
    }),
    job("cdx-20261117_101502-docs", 244, { title: "bring docs/payments.md up to date" }),
    job("cdx-20261116_163344-lint", 1_300, {
      state: "failed",
      exit_code: 1,
      classification: "context_overflow",
      title: "fix what the linter says in src/reports",
    }),
  ];
}

/** Log of the running job. */
export const DEMO_LOG = [
  "session id: 0190-4f1c-77aa",
  "exec: rg -n 'retryDelay' src",
  "exec exited 0",
  "src/payment/retry.ts:18:export function retryDelay(attempt: number, policy: RetryPolicy): number {",
  "src/payment/retry.ts:41:    await sleep(retryDelay(attempt, policy));",
  "thinking",
  "The delay is linear. An exponential one with full jitter needs the policy's base and its cap.",
  "file update",
  "update src/payment/retry.ts",
  "add src/payment/retry.test.ts",
  "exec: npm test -- retry",
  "",
].join("\n");

function makeRepository(nowMs: number): RepositoryView {
  const chance = makeRandom(7);
  const folders = ["billing", "payment", "api", "basket", "stock", "shipping", "reports", "money", "mail", "vouchers"];
  const names = [
    "client",
    "settle",
    "retry",
    "rates",
    "reserve",
    "split",
    "format",
    "monthly",
    "store",
    "rules",
    "parse",
  ];
  const hotspots = folders
    .flatMap((folder) =>
      names.slice(0, 3 + Math.floor(chance() * 5)).map((name) => {
        const lines = Math.round(30 + chance() ** 3 * 620);
        const commits = Math.round(chance() ** 2 * 24);
        const complexity = Math.round(lines / (7 + chance() * 14)) + 1;
        const path = `src/${folder}/${name}.ts`;
        return { path, lines, commits, authors: 1 + (commits % 4), complexity, score: commits * complexity };
      }),
    )
    .sort((a, b) => b.score - a.score);
  const asked = DEMO_QUESTIONS.flatMap(({ places }) => places.slice(0, 2)).map(({ path, symbol, line }, at) => ({
    path,
    symbol,
    line,
    runs: Math.max(2, 41 - at * 4),
  }));
  return {
    root: REPO,
    name: "orchard-shop",
    tech_stack: ["TypeScript", "Node.js"],
    index: { progress: "ready", phase: "done", updated_at: new Date(nowMs - 70_000).toISOString(), note: "" },
    files: 412,
    lines: 38_204,
    symbols: 5_127,
    languages: [
      { language: "typescript", files: 322, lines: 31_870 },
      { language: "sql", files: 41, lines: 3_120 },
      { language: "markdown", files: 28, lines: 2_014 },
      { language: "yaml", files: 14, lines: 810 },
      { language: "shell", files: 7, lines: 390 },
    ],
    hotspots,
    hotspot_days: 90,
    asked,
    asked_runs: 200,
    commits: [
      ["9f2c41d8a7b3", "payment: charge again only when the first charge is known to have failed"],
      ["4e01bb72c9fa", "basket: lines keep their order"],
      ["c73d90e15b28", "reports: a month without sales is a month"],
      ["17aa6f08d4ce", "stock: reservations end after ten minutes"],
    ].map(([id = "", subject = ""], at) => ({
      id,
      subject,
      author: at % 2 === 0 ? "Ada" : "Grace",
      time: new Date(nowMs - (at + 1) * 5 * 3_600_000).toISOString(),
    })),
  };
}
