import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sessionFileName } from "../../src/config/places.ts";
import { type Format, findQuietProblems, toContext, toDocument, withoutTimes } from "../support/answers.ts";
import { DIALOGUE_FILES } from "../support/dialogue-repo.ts";
import { listTree } from "../support/leftovers.ts";
import { answerLimitMs, type DoorAnswer, type DoorCall, runDoor } from "../support/run-door.ts";
import { GIT_FILES, makeFolder } from "../support/temp-folder.ts";

const FIRST = "where is nextDelay defined?";
const ID = "5f2b7c1e-0d43-4c7a-9a56-1f6f3b1f9f10";
const POWERLESS = process.getuid?.() === 0 ? "setpriv --bounding-set=-all --inh-caps=-all " : "";

/** A repository, a state folder, and a simulated client. */
interface Place {
  readonly repo: string;
  readonly state: string;
  readonly file: string;
  readonly ask: (prompt: string, more?: Asking) => Promise<DoorAnswer>;
}

interface Asking {
  readonly format?: Format;
  readonly session?: string | null;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly script?: string;
}

function makePlace(): Place {
  const repo = makeFolder({ ...GIT_FILES, ...DIALOGUE_FILES });
  const [home, state] = [makeFolder(), join(makeFolder(), "state")];
  return {
    repo,
    state,
    file: join(state, "sessions", sessionFileName(ID)),
    ask: async (prompt, { format = "hook", session = ID, env = {}, script } = {}) => {
      const call: DoorCall = {
        cwd: repo,
        // The history of runs is tested elsewhere.
        env: { PATH: process.env.PATH, HOME: home, GROUNDWORK_HOME: state, GROUNDWORK_HISTORY: "off", ...env },
        args: ["--format", format],
        input: JSON.stringify({
          prompt,
          hook_event_name: "UserPromptSubmit",
          ...(session === null ? {} : { session_id: session }),
        }),
        ...(script === undefined ? {} : { script }),
      };
      const answer = await runDoor(call);
      expect(findQuietProblems(format, answer)).toEqual([]);
      expect(answer.ms).toBeLessThan(answerLimitMs(answer));
      return answer;
    },
  };
}

/** Returns the contents of a folder: names, modes, times and texts. */
function snapshot(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return listTree(folder).map((path) => {
    const stats = statSync(path);
    return `${path} ${stats.mode} ${stats.mtimeMs} ${stats.isFile() ? readFileSync(path, "latin1") : ""}`;
  });
}

describe("[B-33] two turns of a conversation, through the hook", () => {
  it("English: the follow-up finds the callers, and earlier evidence is only named", async () => {
    const { ask, repo } = makePlace();
    const before = listTree(repo);
    expect(toContext(await ask("explain parse_header"))).toContain("skip_blanks");
    const first = toContext(await ask(FIRST));
    expect(first).toContain("export function nextDelay");
    expect(first).not.toContain("Already in this conversation");
    const next = toContext(await ask("and who calls it?"));
    expect(next).toContain("symbol: nextDelay (earlier in this session)");
    expect(next).toMatch(/^Already in this conversation: .*server\/retry\.ts:4 nextDelay.*\.$/m);
    expect(next).toContain("withRetry");
    expect(next).not.toContain("export function nextDelay");
    expect(listTree(repo)).toEqual(before);
  });

  it("Chinese: a question that is about code only in its session is answered", async () => {
    const { ask } = makePlace();
    await ask("讲讲 SessionStore 的原理");
    const next = toContext(await ask("这个是怎么用的？"));
    expect(next).toContain("symbol: SessionStore (earlier in this session)");
    expect(next).toMatch(/^本次对话中已给出：server\/session\.ts:2 SessionStore.*。$/m);
    const silent = await makePlace().ask("这个是怎么用的？");
    expect(toContext(silent)).toBe("");
  });

  it("the same question twice: the second time one line in the frame, and the document stays complete", async () => {
    const { ask } = makePlace();
    const first = await ask(FIRST);
    const second = toContext(await ask(FIRST));
    expect(second.length).toBeLessThan(toContext(first).length / 2);
    expect(second).toMatch(
      /^\[Auto Tools\] [^\n]+\n【Auto Tools Results】 [^\n]+ <(gw-[0-9a-f]{12})>\nAlready in this conversation: [^\n]+\n(?:\[Limits\] [^\n]+\n)?<\/\1> [^\n]+$/,
    );
    const document = toDocument(await ask(FIRST, { format: "json" }));
    expect(document.fused_context.for_model.structured.findings?.length).toBeGreaterThan(0);
    expect(document.fused_context.for_user.results_text).toContain("nextDelay");
  });

  it("json and text read and write the memory, and withhold nothing", async () => {
    const { ask, file } = makePlace();
    const first = toDocument(await ask(FIRST, { format: "json" }));
    expect(JSON.parse(readFileSync(file, "utf8")).turns).toHaveLength(1);
    const again = toDocument(await ask(FIRST, { format: "json" }));
    const context = (document: typeof first) =>
      document.fused_context.for_model.additional_context.replace(
        /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ(?:, [\dT:Z-]{20})*|gw-[0-9a-f]{12}/g,
        "",
      );
    expect(context(again)).toBe(context(first));
    const next = toDocument(await ask("and who calls it?", { format: "json" }));
    expect(next.inputs.signals).toContainEqual({ type: "historical", match: "symbol: nextDelay", weight: 0.6 });
    expect(toContext(await ask(FIRST))).toContain("Already in this conversation");
  });

  it("changed code is given again", async () => {
    const { ask, repo } = makePlace();
    await ask(FIRST);
    const path = join(repo, "server/retry.ts");
    writeFileSync(path, readFileSync(path, "utf8").replace("2 ** attempt", "3 ** attempt"));
    const next = toContext(await ask(FIRST));
    expect(next).toContain("BASE_MS * 3 ** attempt");
    expect(next).toContain("Already in this conversation: server/retry.ts:4 nextDelay");
  });

  it("thanks and consent inject nothing, and another session knows nothing", async () => {
    const { ask } = makePlace();
    await ask(FIRST);
    for (const prompt of ["ok do it", "thanks, that was it", "好的，继续"])
      expect(toContext(await ask(prompt))).toBe("");
    expect(toContext(await ask("show me more", { session: "another" }))).toBe("");
    expect(toContext(await ask("show me more"))).not.toBe("");
  });
});

describe("[B-33] [ATO-CTL-12] when the memory is neither read nor written", () => {
  it.each([{ CI_AUTO_TOOLS_MODE: "plan" }, { CI_AUTO_TOOLS_DRY_RUN: "1" }])(
    "plan and dry run give the same bytes with and without a memory, and leave it unchanged: %j",
    async (env) => {
      const place = makePlace();
      const bare = await place.ask("and who calls it?", { format: "json", env });
      const blank = await place.ask(FIRST, { env });
      expect(existsSync(place.state)).toBe(false);
      await place.ask(FIRST);
      const before = snapshot(place.state);
      expect((await place.ask("and who calls it?", { format: "json", env })).stdout).toEqual(bare.stdout);
      expect((await place.ask(FIRST, { env })).stdout).toEqual(blank.stdout);
      expect(snapshot(place.state)).toEqual(before);
    },
  );

  it.each<[string, Asking]>([
    ["no session", { session: null }],
    ["an empty session id", { session: "" }],
    ["switched off", { env: { CI_AUTO_TOOLS: "off" } }],
    ["memory switched off", { env: { CI_AUTO_TOOLS_SESSION_MEMORY: "0" } }],
    ["results from a file", { env: { CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE: "/dev/null" } }],
    ["no home", { env: { GROUNDWORK_HOME: undefined, HOME: undefined } }],
  ])("%s: no file appears", async (_name, asking) => {
    const { ask, state, repo } = makePlace();
    const before = listTree(repo);
    await ask(FIRST, { format: "text", ...asking });
    expect(existsSync(state)).toBe(false);
    expect(listTree(repo)).toEqual(before);
  });

  it("a repository may switch it off for itself, but not on again", async () => {
    const { ask, state, repo } = makePlace();
    mkdirSync(join(repo, "config"));
    writeFileSync(join(repo, "config/auto-tools.yaml"), "session_memory: false\n");
    await ask(FIRST);
    expect(existsSync(state)).toBe(false);
    writeFileSync(join(repo, "config/auto-tools.yaml"), "session_memory: true\n");
    await ask(FIRST, { env: { CI_AUTO_TOOLS_SESSION_MEMORY: "0" } });
    expect(existsSync(state)).toBe(false);
  });

  it("state inside the repository is not used: nothing is written there", async () => {
    const { ask, repo } = makePlace();
    const before = listTree(repo);
    const away = makeFolder();
    symlinkSync(repo, join(away, "link"));
    for (const GROUNDWORK_HOME of [
      repo,
      join(repo, ".state"),
      join(repo, "server"),
      join(away, "link"),
      join(away, "link/x"),
    ])
      await ask(FIRST, { env: { GROUNDWORK_HOME } });
    await ask(FIRST, { env: { GROUNDWORK_HOME: "state", XDG_CACHE_HOME: "cache", HOME: "." } });
    expect(listTree(repo)).toEqual(before);
  });
});

describe("[B-33] [ATO-FAIL-1] a memory that is damaged or not writable", () => {
  let whole = "";
  beforeAll(async () => {
    const { ask, file } = makePlace();
    await ask(FIRST);
    whole = readFileSync(file, "utf8");
  });

  const hostile: readonly [string, (file: string) => void][] = [
    ["empty", (file) => writeFileSync(file, "")],
    ["cut", (file) => writeFileSync(file, whole.slice(0, -20))],
    ["no JSON", (file) => writeFileSync(file, "nextDelay")],
    ["another shape", (file) => writeFileSync(file, '{"version":1,"turns":{"given":[]}}')],
    ["another version", (file) => writeFileSync(file, whole.replace('"version":1', '"version":2'))],
    ["binary", (file) => writeFileSync(file, Buffer.alloc(4_096))],
    ["deep", (file) => writeFileSync(file, "[".repeat(60_000))],
    ["huge", (file) => writeFileSync(file, whole.padEnd(70_000))],
    [
      "sparse, 200 MB",
      (file) => {
        writeFileSync(file, "");
        truncateSync(file, 200 * 1024 * 1024);
      },
    ],
    ["a folder", (file) => mkdirSync(join(file, "inside"), { recursive: true })],
    ["a FIFO", (file) => execFileSync("mkfifo", [file])],
    ["a link to a device", (file) => symlinkSync("/dev/zero", file)],
    [
      "a link to a memory",
      (file) => {
        writeFileSync(`${file}.copy`, whole);
        symlinkSync(`${file}.copy`, file);
      },
    ],
    ["a name that is none", (file) => writeFileSync(file, whole.replace("nextDelay", "<system-reminder>"))],
  ];

  it.each(hostile)("%s: answered at once, as without a memory", async (_name, damage) => {
    const place = makePlace();
    mkdirSync(join(place.state, "sessions"), { recursive: true, mode: 0o700 });
    damage(place.file);
    expect(toContext(await place.ask("show me more"))).toBe("");
    const answer = toContext(await place.ask(FIRST));
    expect(answer).toContain("export function nextDelay");
    expect(answer).not.toContain("Already in this conversation");
    expect(readdirSync(join(place.state, "sessions")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("an unreadable file, a read-only state folder: answered, and not mentioned", async () => {
    const place = makePlace();
    await place.ask(FIRST);
    const script = `exec ${POWERLESS}"$DOOR" "$@"`;
    chmodSync(place.file, 0o000);
    expect(toContext(await place.ask(FIRST, { script }))).toContain("export function nextDelay");
    chmodSync(place.file, 0o600);
    const before = readFileSync(place.file, "utf8");
    chmodSync(join(place.state, "sessions"), 0o500);
    expect(toContext(await place.ask("explain parse_header", { script }))).toContain("parse_header");
    expect(readFileSync(place.file, "utf8")).toBe(before);
    chmodSync(join(place.state, "sessions"), 0o700);
  });

  it.each(["/proc/groundwork", "/dev/null", "/dev/null/state"])(
    "a state folder that cannot be created: %s",
    async (GROUNDWORK_HOME) => {
      expect(toContext(await makePlace().ask(FIRST, { env: { GROUNDWORK_HOME } }))).toContain("nextDelay");
    },
  );

  it("no file can be written: answered, nothing left behind", async () => {
    const place = makePlace();
    const answer = await place.ask(FIRST, { script: 'ulimit -f 0; exec "$DOOR" "$@"' });
    expect(toContext(answer)).toContain("export function nextDelay");
    expect(readdirSync(join(place.state, "sessions"))).toEqual([]);
  });

  it("[ATO-FUSE-9] 32 simultaneous hooks of one session: all answer, and the file is whole", async () => {
    const { ask, file, repo } = makePlace();
    const before = listTree(repo);
    const prompts = Array.from({ length: 32 }, (_, at) => (at % 2 === 0 ? FIRST : "explain parse_header"));
    const answers = await Promise.all(prompts.map((prompt) => ask(prompt)));
    expect(answers.every((answer) => toContext(answer).includes("Auto Tools Results"))).toBe(true);
    const { version, turns } = JSON.parse(readFileSync(file, "utf8"));
    expect([version, turns.length > 0 && turns.length <= 8]).toEqual([1, true]);
    expect(readdirSync(join(file, ".."))).toEqual([sessionFileName(ID)]);
    expect(listTree(repo)).toEqual(before);
  });
});

describe("[B-33] [ATO-RED-1] contents of the file", () => {
  it("names, paths and fingerprints for its owner only; no secret, no sentence, no code", async () => {
    const { ask, file, state } = makePlace();
    const secret = ["ghp", "R8mXk2Lq9vTz4WcN7bYd1HsJf5GaPo3EuQ6i"].join("_");
    const answer = await ask(`nextDelay in server/retry.ts ignores my token ${secret}, src/${secret}.ts is wrong`);
    expect(answer.code).toBe(0);
    const text = readFileSync(file, "utf8");
    expect(text).toContain('"nextDelay"');
    expect(text).not.toMatch(/R8mXk2Lq9|ignores|export|attempt\)|Milliseconds/);
    expect([statSync(file).mode & 0o777, statSync(join(state, "sessions")).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(withoutTimes(answer)).not.toContain("R8mXk2Lq9");
  });
});
