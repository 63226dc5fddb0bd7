import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commit, git, makeRepo } from "./support/git-repo.ts";
import { makeMachine } from "./support/machine.ts";
import { chainFile } from "./support/team.ts";
import { makeFolder } from "./support/temp-folder.ts";

/** Starts a server for the files of a folder that also accepts them by PUT; each answer is delayed. */
function serveFolder(folder: string, token: string | null, waitMs = 0): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (waitMs > 0) await sleep(waitMs);
    const path = join(folder, decodeURIComponent(request.url ?? ""));
    const end = (status: number, body: string | Buffer = "") => response.writeHead(status).end(body);
    if (token !== null && request.headers.authorization !== `Bearer ${token}`) return end(401);
    if (request.method === "GET" || request.method === "HEAD")
      return existsSync(path) && statSync(path).isFile() ? end(200, readFileSync(path)) : end(404);
    if (request.method !== "PUT") return end(405);
    if (request.headers["if-none-match"] === "*" && existsSync(path)) return end(412);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    return request.on("end", () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, Buffer.concat(chunks));
      end(201);
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const publisher = makeMachine();
let root = "";
let key = "";
let publicKey = "";
beforeAll(async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`src/f${at}.ts`, chainFile(at)]));
  root = makeRepo([{ files, subject: "start", at: "2026-01-01T00:00:00Z" }]);
  key = join(makeFolder(), "key.pem");
  publicKey = (await publisher.run(root, ["base", "keygen", "--out", key])).stdout.trim();
});

/** Makes a clone of the repository. */
function makeClone(): string {
  const folder = join(makeFolder(), "clone");
  git(root, ["clone", "--quiet", "--no-local", root, folder]);
  return folder;
}

describe("[T-3] groundwork base", () => {
  it("makes a private key file that only its owner can read, never overwrites one, and prints only the public key", async () => {
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(publicKey).toMatch(/^groundwork-base-key:[\w-]{43}$/);
    const before = readFileSync(key, "utf8");
    const again = await publisher.run(root, ["base", "keygen", "--out", key]);
    expect(again).toMatchObject({ code: 20, stdout: "", stderr: expect.stringContaining("never overwritten") });
    expect(readFileSync(key, "utf8")).toBe(before);
  });

  it("publishes to a folder; a machine that joins uses the base for its index, and can leave again", async () => {
    const store = makeFolder();
    const published = await publisher.run(root, ["base", "publish", "--to", store, "--key", key, "--json"]);
    expect(JSON.parse(published.stdout)).toMatchObject({ outcome: "published", sequence: 1, files: 30, over: 0 });
    expect(readdirSync(publisher.home)).not.toContain(".groundwork");
    const { run, home } = makeMachine();
    const clone = makeClone();
    expect((await run(clone, ["base"])).stdout).toContain("No store is joined");
    const joined = await run(clone, ["base", "join", store, "--key", publicKey]);
    expect(joined).toMatchObject({ code: 0, stdout: expect.stringContaining("Joined") });
    expect(statSync(join(home, ".groundwork/bases.json")).mode & 0o777).toBe(0o600);
    expect(JSON.parse((await run(clone, ["base", "status", "--json"])).stdout)).toMatchObject({
      joined: true,
      attached: null,
      state: "waiting",
    });
    expect((await run(clone, ["index"])).stdout).toContain("30 from a base, 0 read");
    expect(JSON.parse((await run(clone, ["base", "--json"])).stdout)).toMatchObject({
      state: "attached",
      reason: "",
      key: publicKey,
      attached: { commit: git(root, ["rev-parse", "HEAD"]), sequence: 1, files_over: 0 },
    });
    writeFileSync(join(clone, "src/new.ts"), "export function onlyHere() {}\n");
    expect((await run(clone, ["search", "onlyHere"])).stdout).toContain("src/new.ts:1");
    expect((await run(clone, ["base", "leave"])).stdout).toContain("Left");
    // The search may have updated the index in the background, so the number of files read here is not certain.
    expect((await run(clone, ["index"])).stdout).toContain("31 files indexed");
    expect(JSON.parse((await run(clone, ["base", "--json"])).stdout)).toMatchObject({ joined: false, state: "none" });
  });

  it("a work tree that left keeps nothing of the store, even if another work tree still uses it", async () => {
    const store = makeFolder();
    await publisher.run(root, ["base", "publish", "--to", store, "--key", key]);
    const { run } = makeMachine();
    const clone = makeClone();
    const tree = join(makeFolder(), "tree");
    git(clone, ["worktree", "add", "--quiet", "--detach", tree]);
    await run(clone, ["base", "join", store, "--key", publicKey]);
    for (const folder of [clone, tree]) expect((await run(folder, ["index"])).stdout).toContain("30 from a base");
    await run(clone, ["base", "leave"]);
    expect((await run(clone, ["index"])).stdout).toContain(": 30 read");
    expect((await run(clone, ["index"])).stdout).toContain("nothing had changed");
    // The other work tree now shares the index of the first one.
    expect((await run(tree, ["index"])).stdout).toContain("30 from a base");
    expect(JSON.parse((await run(tree, ["base", "--json"])).stdout)).toMatchObject({ joined: false, state: "none" });
  });

  it("exits with 2 and an explanation without a key, a store or an existing commit", async () => {
    const store = makeFolder();
    for (const [args, said] of [
      [["base", "publish", "--to", store], "GROUNDWORK_BASE_KEY"],
      [["base", "publish", "--key", key], "--to"],
      [["base", "publish", "--to", store, "--key", key, "--commit", "nothing"], "nothing is not a commit"],
      [["base", "publish", "--to", "http://example.org/x", "--key", key], "https"],
      [["base", "join", store], "--key"],
      [["base", "join", store, "--key", "no-key"], "no-key is neither a public key"],
      [["base", "keygen"], "--out"],
      [["base", "prune", "--to", store], "--keep"],
      [["base", "fly"], "not fly"],
    ] as const) {
      const { code, stderr, stdout } = await publisher.run(root, args);
      expect([code, stdout, stderr.includes(said)], `${args.join(" ")}: ${stderr}`).toEqual([2, "", true]);
    }
    expect(readdirSync(store)).toEqual([]);
    const bad = await publisher.run(root, ["base", "publish", "--to", store], { GROUNDWORK_BASE_KEY: "no key" });
    expect(bad).toMatchObject({ code: 20, stderr: expect.stringContaining("not a private key") });
    const none = await publisher.run(makeFolder(), ["base", "publish", "--to", store, "--key", key]);
    expect(none).toMatchObject({ code: 40, stderr: expect.stringContaining("no repository") });
  });

  it("keeps only the newest bases on request", async () => {
    const store = makeFolder();
    const place = makeClone();
    for (const name of ["a", "b", "c"]) {
      commit(place, { files: { [`${name}.txt`]: name }, subject: name, at: "2026-01-03T00:00:00Z" });
      await publisher.run(place, ["base", "publish", "--to", store], {
        GROUNDWORK_BASE_KEY: readFileSync(key, "utf8"),
      });
    }
    const pruned = await publisher.run(root, ["base", "prune", "--to", store, "--keep", "1", "--key", key, "--json"]);
    expect(JSON.parse(pruned.stdout)).toMatchObject({ kept: 1, removed: 2 });
    const { run } = makeMachine();
    await run(place, ["base", "join", store, "--key", publicKey]);
    expect((await run(place, ["index"])).stdout).toContain("33 from a base");
  });
});

describe("[T-3] [T-6] a store behind a server", () => {
  const folder = makeFolder();
  let server: Server;
  let url = "";
  beforeAll(async () => {
    server = await serveFolder(folder, "secret");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bases`;
    await publisher.run(root, ["base", "publish", "--to", url, "--key", key], { GROUNDWORK_BASE_TOKEN: "secret" });
  });
  afterAll(() => server.close());

  it("accepts and serves bases with a token, and explains what is wrong without one", async () => {
    const { run } = makeMachine();
    const clone = makeClone();
    await run(clone, ["base", "join", url, "--key", publicKey]);
    expect((await run(clone, ["index"])).stdout).toContain("30 read");
    const refused = JSON.parse((await run(clone, ["base", "--json"])).stdout);
    expect(refused).toMatchObject({
      state: "unreachable",
      attached: null,
      reason: expect.stringContaining("GROUNDWORK_BASE_TOKEN"),
    });
    expect((await run(clone, ["index"], { GROUNDWORK_BASE_TOKEN: "secret" })).stdout).toContain("30 from a base");
  });

  it("leaves a whole index after the next build, whenever its client is killed", async () => {
    const slow = await serveFolder(folder, null, 60);
    const { run, start } = makeMachine();
    const clone = makeClone();
    const place = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/bases`;
    await run(clone, ["base", "join", place, "--key", publicKey]);
    for (let ms = 100; ms < 1_000; ms += 150) {
      const child = start(clone, ["index"]);
      const ended = once(child, "close");
      await Promise.race([sleep(ms), ended]);
      // Kills its whole process group, unless it has ended.
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), "SIGKILL");
      await ended;
    }
    expect((await run(clone, ["index"])).stdout).toContain("30 files indexed");
    expect((await run(clone, ["search", "fun7"])).stdout).toContain("src/f7.ts");
    const { state, attached } = JSON.parse((await run(clone, ["base", "--json"])).stdout);
    expect([state, attached?.files_over]).toEqual(["attached", 0]);
    slow.close();
  });

  it("breaks neither indexing nor joining while it is unreachable", async () => {
    const gone = makeFolder();
    rmSync(gone, { recursive: true });
    for (const place of ["http://127.0.0.1:9/none", join(gone, "none")]) {
      const { run } = makeMachine();
      const clone = makeClone();
      expect((await run(clone, ["base", "join", place, "--key", publicKey])).code).toBe(0);
      expect((await run(clone, ["index"])).stdout).toContain("30 read");
      expect((await run(clone, ["search", "fun7"])).stdout).toContain("src/f7.ts");
      const { state, reason } = JSON.parse((await run(clone, ["base", "--json"])).stdout);
      expect([state, reason]).toEqual(["unreachable", expect.stringMatching(/./)]);
      const { checks } = JSON.parse((await run(clone, ["doctor", "--json"])).stdout);
      expect(checks.find(({ name }: { name: string }) => name === "base")).toMatchObject({
        status: "warn",
        measured: `unreachable: ${reason}`,
        remedy: expect.stringContaining("groundwork base"),
      });
    }
  });
});
