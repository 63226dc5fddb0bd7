import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CLIENTS, type ClientId } from "../../src/contract/clients.ts";
import { watchMachine } from "../support/timed.ts";
import { type ReadyClient, setUpClient, writeScript } from "./client-homes.ts";
import { expectEvidenceOnce, expectPlainPrompt, requestsWith } from "./evidence.ts";
import { ANSWER } from "./model-apis/api.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { CLIENT_LIMIT_MS } from "./run-client.ts";
import { makeScratch, PROMPT, type Scratch } from "./scratch.ts";

const LIMIT = { timeout: CLIENT_LIMIT_MS + 30_000 };
/** One client per output format, including the one that blocks a prompt if its hook fails. */
const BY_COMMAND: readonly ClientId[] = ["claude", "copilot", "kimi", "gemini"];
/** opencode calls our plugin, whose own test covers all other faults. */
const ASKED: readonly ClientId[] = [...BY_COMMAND, "opencode"];
/** Time limit for a hook that hangs; the client behaves the same as after the usual twenty seconds. */
const SHORT_SECONDS = 3;

/** Additional time on a busy machine; well below each client's own default limit. */
const MARGIN_MS = 20_000;
const BEGUN = "begun";

interface Fault {
  what: string;
  /** Shell script that replaces the program of the launcher; null if the launcher itself is missing. */
  script: string | null;
  /** Time limit in seconds, if it is not the usual one. */
  seconds?: number;
  /** What the model receives besides the prompt. */
  gets: "nothing" | "evidence";
  /** Clients to test. */
  of: readonly ClientId[];
}

const FAULTS: readonly Fault[] = [
  { what: "is missing", gets: "nothing", script: null, of: BY_COMMAND },
  // Clients that block a prompt by exit code do so for 2, Gemini CLI for every code above 1.
  { what: "crashes", gets: "nothing", script: "cat >/dev/null; echo broken >&2; exit 2", of: ["claude", "gemini"] },
  {
    what: "prints garbage",
    gets: "nothing",
    script: `cat >/dev/null; printf '{"hookSpecificOutput":{"a\\001\\377'`,
    of: BY_COMMAND,
  },
  {
    what: "hangs",
    gets: "nothing",
    script: `: >"$HOME/${BEGUN}"; while :; do sleep 1; done`,
    seconds: SHORT_SECONDS,
    of: ASKED,
  },
  { what: "is slow", gets: "evidence", script: 'sleep 2; exec "$usual_door" "$@"', of: ["claude"] },
];

/** Replaces the program that a client's launcher runs with a script. */
function breakProgram(launcher: string, script: string | null, home: string): void {
  if (script === null) {
    rmSync(launcher);
    return;
  }
  const program = join(home, "broken");
  writeScript(program, script);
  writeFileSync(
    launcher,
    readFileSync(launcher, "utf8").replace(/^door=(.*)$/m, `export usual_door=$1 door='${program}'`),
  );
}

describe.each(ASKED.map((id) => [CLIENTS[id].title, id] as const))(
  "[P-5] the real %s where Groundwork",
  (_title, id) => {
    let model: ModelServer;
    let scratch: Scratch;
    let client: ReadyClient;
    /** The client's settings and launcher as installed, by path. */
    let installed: ReadonlyMap<string, Buffer>;
    beforeAll(async () => {
      model = await startModelServer();
      scratch = await makeScratch();
      client = await setUpClient(id, scratch, model.url);
      installed = new Map([client.launcher, client.limit].map((path) => [path, readFileSync(path)]));
    });
    beforeEach(() => {
      model.requests.length = 0;
      for (const [path, bytes] of installed) writeFileSync(path, bytes, { mode: 0o755 });
    });
    afterAll(async () => {
      await model[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
    });

    const faults = FAULTS.filter(({ of }) => of.includes(id));
    it.each(faults.map((fault) => [fault.what, fault] as const))(
      "%s: the prompt reaches the model unchanged",
      LIMIT,
      async (_what, { script, seconds, gets }) => {
        if (seconds !== undefined) client.allowSeconds(seconds);
        breakProgram(client.launcher, script, scratch.home);
        const machine = watchMachine();
        const { code, stdout, stderr } = await client.ask(PROMPT);
        machine.stop();
        expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: expect.stringContaining(ANSWER) });
        if (gets === "evidence") expectEvidenceOnce(model.requests, PROMPT);
        else expectPlainPrompt(model.requests, PROMPT);
        if (seconds === undefined) return;
        const waitedMs =
          (requestsWith(model.requests, PROMPT)[0]?.atMs ?? 0) - statSync(join(scratch.home, BEGUN)).mtimeMs;
        expect(waitedMs).toBeLessThan((seconds * 1_000 + MARGIN_MS) * machine.slowness());
      },
    );
  },
);
