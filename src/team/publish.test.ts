import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { commit, git, HISTORY_SETTINGS } from "../../tests/support/git-repo.ts";
import { describeIndex, readAll } from "../../tests/support/index-contents.ts";
import { makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { chainFile, makeClient, makeTeam } from "../../tests/support/team.ts";
import { claimOwn } from "../base/file-lock.ts";
import { fail } from "../contract/faults.ts";
import { openForBuilding } from "../engine/build/open-index.ts";
import { openGitObjects } from "../engine/history/git-objects.ts";
import { INDEX_FILES } from "../engine/store/database.ts";
import { makeKeyPair } from "./keys.ts";

it("[T-3] [T-4] a published base, a delta and local changes together equal a local index", async () => {
  const { root, store, pair, publish } = makeTeam(300);
  expect(await publish()).toMatchObject({
    ok: true,
    value: { outcome: "published", sequence: 1, files: 300, over: 0 },
  });
  const clean = makeClient(root, store, [pair.publicKey]);
  const index = clean.indexOver((await clean.bring()).base?.names ?? []);
  expect(await index.build()).toMatchObject({ changed: 0, removed: 0, taken: 300 });
  expect(readAll(index)).toEqual(readAll(await makeIndexedRepo(root)));

  git(root, ["rm", "--quiet", "src/f7.ts"]);
  const second = commit(root, {
    files: { "src/f3.ts": chainFile(3, "other3()"), "src/new.ts": "export function other3() {}\n" },
    subject: "more",
    at: "2026-01-02T00:00:00Z",
  });
  expect(await publish(second)).toMatchObject({ ok: true, value: { sequence: 2, files: 300, over: 1 } });
  expect(await publish(second)).toMatchObject({ ok: true, value: { outcome: "there", sequence: 2, bytes: 0 } });
  writeFileSync(join(root, "src/f9.ts"), chainFile(9, "other3()"));
  const before = clean.bytes();
  const brought = await clean.bring();
  expect(brought).toMatchObject({ state: "attached", reason: "", base: { commit: second, sequence: 2 } });
  expect(brought.base?.names).toHaveLength(2);
  expect(clean.bytes()).toBeLessThan(before / 4);
  const other = makeClient(root, store, [pair.publicKey]);
  const edited = other.indexOver((await other.bring()).base?.names ?? []);
  expect(await edited.build()).toMatchObject({ changed: 1, removed: 0, taken: 299 });
  expect(describeIndex(edited)).toEqual({ bases: 2, mended: undefined });
  expect(readAll(edited)).toEqual(readAll(await makeIndexedRepo(root)));
});

it("[T-3] of two concurrent publishers one succeeds, and the other reports why it failed", async () => {
  const { root, publish, store } = makeTeam();
  const first = git(root, ["rev-parse", "HEAD"]);
  const second = commit(root, { files: { "a.txt": "1" }, subject: "more", at: "2026-01-02T00:00:00Z" });
  const both = await Promise.all([publish(first), publish(second)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(both.find(({ ok }) => !ok)).toMatchObject({ fault: { message: "another publisher was faster" } });
  expect(readdirSync(join(store.place, "lists"))).toEqual(["1.json"]);
});

it("[T-3] many deltas are merged, and too large ones begin a new generation", async () => {
  const { root, publish, store, pair } = makeTeam(150);
  await publish();
  const overs: number[] = [];
  for (let at = 0; at < 11; at++) {
    const id = commit(root, {
      files: { [`src/f${at}.ts`]: chainFile(at, `other${at}()`) },
      subject: `change ${at}`,
      at: "2026-01-02T00:00:00Z",
    });
    const published = await publish(id);
    if (published.ok) overs.push(published.value.over);
  }
  expect(Math.max(...overs)).toBeGreaterThan(1);
  expect(Math.max(...overs)).toBeLessThanOrEqual(8);
  expect(overs.slice(1).some((over, at) => over < (overs[at] ?? 0))).toBe(true);
  const client = makeClient(root, store, [pair.publicKey]);
  const index = client.indexOver((await client.bring()).base?.names ?? []);
  await index.build();
  expect(readAll(index)).toEqual(readAll(await makeIndexedRepo(root)));
});

it("[T-6] an interrupted download is resumed, and an incomplete base is not used", async () => {
  const { root, store, pair, publish } = makeTeam(300);
  await publish();
  let objects = 0;
  const failing = {
    ...store,
    get: async (...call: Parameters<typeof store.get>) =>
      call[0].startsWith("objects/") && ++objects > 2 ? fail("E_TOOL_UNAVAILABLE", "gone") : store.get(...call),
  };
  const client = makeClient(root, store, [pair.publicKey]);
  expect(await client.bring(undefined, failing)).toMatchObject({ state: "unreachable", reason: "gone", base: null });
  expect(readdirSync(client.bases)).toEqual([expect.stringMatching(/^base-[0-9a-f]{40}\.part$/)]);
  const first = client.bytes();
  expect(await client.bring()).toMatchObject({ state: "attached" });
  expect(readdirSync(client.bases)).toEqual([expect.stringMatching(/^base-[0-9a-f]{40}$/)]);
  const other = makeClient(root, store, [pair.publicKey]);
  await other.bring();
  expect(first).toBeGreaterThan(0);
  expect(first + client.bytes()).toBe(other.bytes());
});

it("[T-6] the reason for a failed fetch is reported, even if the system error has no code", async () => {
  const { root, store, pair, publish } = makeTeam();
  await publish();
  const client = makeClient(root, store, [pair.publicKey]);
  const { base } = await client.bring();
  const place = join(client.bases, base?.names[0] ?? "");
  renameSync(place, `${place}.part`);
  const other = claimOwn(join(`${place}.part`, "lock"));
  expect(await client.bring(undefined, store, { limitMs: 300 })).toMatchObject({
    state: "waiting",
    reason: expect.stringContaining("another process brings the base"),
  });
  other?.release();
  expect(await client.bring()).toMatchObject({ state: "attached" });
});

it.each(["rev-parse", "--max-parents=0"])(
  "[T-6] if git does not answer %s, the base is not refused",
  async (question) => {
    const { root, store, pair, publish } = makeTeam();
    await publish();
    const client = makeClient(root, store, [pair.publicKey]);
    const objects = openGitObjects(root, HISTORY_SETTINGS, new AbortController().signal);
    if (objects === null) throw new Error("no git");
    const killed = { exitCode: null, stdout: "", stderr: "", cut: false, startError: "" };
    const ask: typeof objects.ask = async (args, max) => (args.includes(question) ? killed : objects.ask(args, max));
    expect(await client.bring(undefined, store, { git: { ...objects, ask } })).toMatchObject({
      state: "waiting",
      reason: expect.stringContaining("git did not answer"),
    });
    expect(await client.bring()).toMatchObject({ state: "attached" });
  },
);

const BUILDERS = 30;

it("[T-6] concurrent builders fetch the same base once", async () => {
  const { root, store, pair, publish } = makeTeam();
  await publish();
  const asked: string[] = [];
  const slow = {
    ...store,
    get: async (...call: Parameters<typeof store.get>) => {
      asked.push(call[0]);
      await sleep(50);
      return store.get(...call);
    },
  };
  const client = makeClient(root, store, [pair.publicKey]);
  // Many, so that some try the lock at the very moment when its owner finishes.
  const brought = await Promise.all(
    Array.from({ length: BUILDERS }, async (_, at) => {
      await sleep(7 * at);
      return client.bring(undefined, slow);
    }),
  );
  expect(brought.map(({ state, reason }) => `${state} ${reason}`)).toEqual(Array(BUILDERS).fill("attached "));
  const [manifest, ...parts] = [...new Set(asked.filter((name) => name.startsWith("objects/")))];
  expect(asked.filter((name) => name === manifest)).toHaveLength(BUILDERS);
  for (const part of parts) expect(asked.filter((name) => name === part)).toHaveLength(1);
  const index = client.indexOver(brought[0]?.base?.names ?? []);
  expect(await index.build()).toMatchObject({ taken: 40 });
  const [name = "", ...others] = readdirSync(client.bases);
  expect(others).toEqual([]);
  expect(readdirSync(join(client.bases, name)).sort()).toEqual(["code.db", "proven", "text.db", "unconfirmed.json"]);
});

it("[T-6] a base that cannot be written changes nothing, and the reason is reported", async () => {
  const { root, store, pair, publish } = makeTeam();
  await publish();
  const client = makeClient(root, store, [pair.publicKey]);
  rmSync(client.bases, { recursive: true });
  writeFileSync(client.bases, "a file in the way, as a full disk would be");
  expect(await client.bring()).toMatchObject({
    state: "waiting",
    reason: expect.stringContaining("cannot be written here"),
    base: null,
  });
});

it("[T-6] an index is unchanged if attaching a base fails half-way, whatever the reason", async () => {
  const { root, store, pair, publish } = makeTeam();
  await publish();
  const client = makeClient(root, store, [pair.publicKey]);
  const index = client.indexOver([]);
  await index.build();
  const before = readAll(index);
  const { base } = await client.bring();
  const { store: opened, attached } = await openForBuilding({
    file: join(index.folder, INDEX_FILES.database),
    root,
    findBases: async () => base?.names ?? [],
    attach: () => Promise.reject(new Error("ENOSPC: no space left on device")),
  });
  expect([opened.bases, attached, opened.state()?.phase]).toEqual([[], null, "done"]);
  opened.close();
  expect(readdirSync(index.folder).filter((name) => name.includes(".new"))).toEqual([]);
  expect(readAll(index)).toEqual(before);
  expect(await client.bring()).toMatchObject({ state: "attached" });
});

it("[T-3] a replaced key is no longer trusted: clients with both keys follow, those with only the old one do not", async () => {
  const { root, publish, store, pair } = makeTeam();
  await publish();
  const fresh = makeKeyPair();
  const second = commit(root, { files: { "a.txt": "1" }, subject: "more", at: "2026-01-02T00:00:00Z" });
  const refused = await publish(second, fresh.privateKey);
  expect(refused).toMatchObject({
    fault: { message: expect.stringContaining("not named"), hint: expect.stringContaining("--replaces") },
  });
  const published = await publish(second, fresh.privateKey, [pair.publicKey]);
  expect(published).toMatchObject({ value: { sequence: 2, over: 0 } });
  const both = makeClient(root, store, [pair.publicKey, fresh.publicKey]);
  expect(await both.bring()).toMatchObject({ state: "attached", base: { commit: second, sequence: 2 } });
  const late = makeClient(root, store, [pair.publicKey]);
  expect(await late.bring()).toMatchObject({ state: "refused", reason: expect.stringContaining("not named") });
});

it("[T-4] the base of the nearest ancestor is used, no matter when it was published", async () => {
  const { root, publish, store, pair } = makeTeam(2);
  const first = git(root, ["rev-parse", "HEAD"]);
  const main = commit(root, { files: { "a.txt": "1" }, subject: "main", at: "2026-01-02T00:00:00Z" });
  await publish(main);
  await publish(first);
  const client = makeClient(root, store, [pair.publicKey]);
  expect(await client.bring()).toMatchObject({ state: "attached", base: { commit: main } });
  git(root, ["checkout", "--quiet", "-b", "side", first]);
  commit(root, { files: { "b.txt": "1" }, subject: "side", at: "2026-01-03T00:00:00Z" });
  expect(await client.bring()).toMatchObject({ state: "attached", base: { commit: first } });
  git(root, ["checkout", "--quiet", "--orphan", "alone"]);
  commit(root, { files: { "c.txt": "1" }, subject: "alone", at: "2026-01-04T00:00:00Z" });
  expect(await client.bring()).toMatchObject({ state: "no_ancestor", base: null });
});
