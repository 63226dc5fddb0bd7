import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commit, git, makeRepo } from "../../../tests/support/git-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { toSha256 } from "../../base/hash.ts";
import { succeed } from "../../contract/faults.ts";
import type { TeamJob, TeamJobResult } from "../../contract/team-jobs.ts";
import { fetchResult } from "./fetch-result.ts";

const START = { files: { "a.txt": "one\n" }, subject: "start", at: "2026-01-01T00:00:00Z" };
const BRANCH = "codex/cdx-1/1";
const { signal } = new AbortController();

/** Makes a repository, and a bundle with one commit on top of it. */
function makeBundle(branch = BRANCH) {
  const origin = makeRepo([START]);
  const base = git(origin, ["rev-parse", "HEAD"]);
  const folder = makeFolder();
  git(folder, ["clone", "--quiet", "--no-local", origin, "copy"]);
  const copy = join(folder, "copy");
  const head = commit(copy, { ...START, files: { "b.txt": "new\n" } });
  git(copy, ["branch", branch]);
  git(copy, ["bundle", "create", "--quiet", "../b", branch, `^${base}`]);
  return { origin, base, head, bytes: readFileSync(join(folder, "b")) };
}

/** Makes a job server that returns this result and these bytes. */
function toJobs(result: TeamJobResult | null, bytes: Buffer, base: string) {
  return {
    status: async () => succeed({ id: "cdx-1", state: "completed", commit: base, result } as TeamJob),
    result: async (_id: string, at: number) => succeed(bytes.subarray(at, at + 100)),
  };
}

const stateOf = (folder: string) =>
  [git(folder, ["status", "--porcelain"]), git(folder, ["for-each-ref"]), git(folder, ["rev-parse", "HEAD"])].join(
    "\n",
  );

describe("[T-17] a fetched result", () => {
  it("becomes its branch, and nothing else changes", async () => {
    const { origin, base, head, bytes } = makeBundle();
    writeFileSync(join(origin, "a.txt"), "changed\n");
    const result = { branch: BRANCH, head, bytes: bytes.length, sha256: toSha256(bytes) };
    const before = git(origin, ["status", "--porcelain"]);
    const place = { folder: origin, env: process.env, signal };
    expect(await fetchResult(toJobs(result, bytes, base), "cdx-1", place)).toEqual({ ok: true, value: result });
    expect(git(origin, ["rev-parse", BRANCH])).toBe(head);
    expect(git(origin, ["status", "--porcelain"])).toBe(before);
    expect(git(origin, ["rev-parse", "HEAD"])).toBe(base);
    // A second fetch changes nothing.
    expect(await fetchResult(toJobs(result, bytes, base), "cdx-1", place)).toMatchObject({ ok: true });
  });

  it.each([
    ["no result", () => ({ result: null }), "has no result"],
    ["other bytes than its hash", () => ({ bytes: Buffer.from("x") }), "does not match its hash"],
    ["no bundle", () => withBytes(Buffer.from("# v2 git bundle\nnonsense")), "not a bundle"],
    ["another branch", () => ({ result: { branch: "codex/cdx-2/1" } }), "not a bundle of this one branch"],
    ["another commit", () => ({ result: { head: "f".repeat(40) } }), "not a bundle of this one branch"],
    ["a bundle of the main branch", () => fromBundle(makeBundle("other")), "not a bundle of this one branch"],
    [
      "a repository without the commit",
      () => ({ origin: makeRepo([{ ...START, subject: "unrelated" }]) }),
      "does not have commit",
    ],
    ["no repository", () => ({ origin: makeFolder() }), "not a git repository"],
  ])("changes nothing if there is %s", async (_, change, said) => {
    const made = makeBundle();
    const given: { result?: object | null; bytes?: Buffer; origin?: string } = change();
    const bytes = given.bytes ?? made.bytes;
    const usual = { branch: BRANCH, head: made.head, bytes: made.bytes.length, sha256: toSha256(made.bytes) };
    const result = given.result === null ? null : { ...usual, ...given.result };
    const folder = given.origin ?? made.origin;
    const isRepo = said !== "not a git repository";
    const before = isRepo ? stateOf(folder) : "";
    const place = { folder, env: process.env, signal };
    const done = await fetchResult(toJobs(result, bytes, made.base), "cdx-1", place);
    expect(done).toMatchObject({ ok: false, fault: { message: expect.stringContaining(said) } });
    if (isRepo) expect(stateOf(folder)).toBe(before);
  });
});

function withBytes(bytes: Buffer) {
  return { bytes, result: { bytes: bytes.length, sha256: toSha256(bytes) } };
}

function fromBundle({ bytes, head }: { bytes: Buffer; head: string }) {
  return { bytes, result: { bytes: bytes.length, sha256: toSha256(bytes), head } };
}
