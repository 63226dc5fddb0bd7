import type { KeyObject } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { systemClock, toIsoSeconds } from "../base/clock.ts";
import { findRepoRoot, toRealFolder } from "../base/repo-root.ts";
import { toCode, toMessage } from "../base/text.ts";
import { readJoinBook } from "../config/join-book.ts";
import { findHome, JOINS_FILE } from "../config/places.ts";
import { countOf } from "../contract/count-of.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { buildIndex } from "../engine/build/build-index.ts";
import { findCommonFolder, isCommitId, resolveCommit } from "../engine/history/git-folder.ts";
import { openGitObjects } from "../engine/history/git-objects.ts";
import { changeJoins } from "../install/record-join.ts";
import { describeBase } from "../team/describe-base.ts";
import { isPublicKey, makeKeyPair, readPrivateKey } from "../team/keys.ts";
import { openObjectStore, toPlace } from "../team/open-store.ts";
import { pruneStore } from "../team/prune.ts";
import { type PublishWork, publishBase } from "../team/publish.ts";
import { isShared, readShared, shareIndex } from "../team/share-index.ts";
import { historySettings, indexFolderOf } from "./engine.ts";
import { getReads } from "./find-bases.ts";
import { failed, misuse, type Printed, printedJson } from "./printed.ts";
import { canAsk, confirm, workingFolder, writeAll } from "./process.ts";
import { startRunner } from "./run-build.ts";
import { startProgress } from "./screen.ts";

const NO_SIGNAL = new AbortController().signal;
const MAX_KEYS_BYTES = 10_000;

/** `groundwork base keygen|publish|join|status|leave|prune`: shares one index between users. */
export async function steerBases(words: readonly string[], options: OptionsOf<"base">): Promise<Printed> {
  const [action = "status", ...rest] = words;
  const most = action === "join" ? 1 : 0;
  if (rest.length > most) return misuse(`base ${action} takes ${most === 0 ? "no arguments" : "one store"}`, "base");
  if (action === "keygen") return makeKey(options);
  if (action === "publish") return publish(options);
  if (action === "join") return joinStore(rest[0], options);
  if (action === "status") return showStatus(options);
  if (action === "leave") return leaveStore(options);
  if (action === "prune") return prune(options);
  return misuse(`base knows keygen, publish, join, status, leave and prune, not ${action}`, "base");
}

function makeKey({ out }: OptionsOf<"base">): Printed {
  if (out === undefined || out === "") return misuse("base keygen needs --out FILE for the private key", "base");
  const { privateKey, publicKey } = makeKeyPair();
  try {
    writeFileSync(resolve(workingFolder(), out), privateKey, { mode: 0o600, flag: "wx" });
  } catch (thrown) {
    const why = toCode(thrown) === "EEXIST" ? "is there already, and a key is never overwritten" : "cannot be written";
    return failed(fail("E_CONFIG", `${out} ${why}`).fault);
  }
  return { text: `${publicKey}\n`, exitCode: 0 };
}

async function publish(options: OptionsOf<"base">): Promise<Printed> {
  const { to, commit = "HEAD" } = options;
  if (to === undefined || to === "") return misuse("base publish needs --to DIR or URL", "base");
  const signed = openSigned("publish", to, options);
  if ("exitCode" in signed) return signed;
  const replaced = options.replaces === undefined ? succeed([]) : readPublicKeys(options.replaces);
  if (!replaced.ok) return misuse(replaced.fault.message, "base");
  const root = rootOf(options);
  const git = root === null ? null : openGitObjects(root, historySettings(process.env), NO_SIGNAL);
  if (root === null || git === null)
    return failed(
      fail("E_REPO_ROOT", "there is no repository here with objects that git can read", "go to a full clone").fault,
    );
  const named = resolveCommit(root, commit);
  const revision = ["rev-parse", "--verify", "--end-of-options", `${named}^{commit}`];
  const id = named === null ? "" : (await git.ask(revision, 200)).stdout.trim();
  if (!isCommitId(id)) return misuse(`${commit} is not a commit, branch or tag of this repository`, "base");
  const published = await publishCommit({ git, commit: id, replaced: replaced.value }, signed, options);
  if (!published.ok) return failed(published.fault);
  const { outcome, sequence, files, bytes, over } = published.value;
  if (options.json === true) return printedJson({ schema_version: "1.0", ...published.value });
  if (outcome === "there") return { text: `The base of ${id.slice(0, 12)} is published already.\n`, exitCode: 0 };
  const size = bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  const kind = over === 0 ? "whole" : `as a difference to ${over === 1 ? "one base" : `${over} bases`} below`;
  return {
    text: `Published the base of ${id.slice(0, 12)}, ${kind}: ${countOf(files, "file")}, ${size}, list ${sequence}.\n`,
    exitCode: 0,
  };
}

/** Builds the base of a commit in a temporary folder and publishes it. Contract: removes the folder. */
async function publishCommit(
  work: Pick<PublishWork, "git" | "commit" | "replaced">,
  { place, ...signed }: SignedStore,
  options: OptionsOf<"base">,
): ReturnType<typeof publishBase> {
  const scratch = mkdtempSync(join(tmpdir(), "groundwork-base-"));
  const removeScratch = () => rmSync(scratch, { recursive: true, force: true });
  process.once("exit", removeScratch);
  const runner = startRunner();
  const progress = startProgress();
  const say = (what: string) => {
    progress.clear();
    writeAll(2, `groundwork: ${what}\n`);
  };
  try {
    return await publishBase({
      ...work,
      ...signed,
      reads: getReads(),
      scratch,
      build: async (tree, folder, bases) => {
        const findBases = async () => bases;
        const request = { root: tree.folder, folder, past: null, clock: systemClock, signal: NO_SIGNAL };
        const runs = { runner: tree.filling(runner), source: tree, onProgress: progress.show };
        await buildIndex({ ...request, ...runs, findBases });
      },
      share: options["only-base"] === true ? null : await findSharing(place, work.commit, say),
      signal: NO_SIGNAL,
      say,
    });
  } catch (thrown) {
    return fail("E_UNKNOWN", `the base cannot be built: ${toMessage(thrown)}`);
  } finally {
    progress.clear();
    await runner.close();
    // There are tens of thousands of files: asynchronous removal handles several at once and takes half as long.
    await rm(scratch, { recursive: true, force: true });
    process.removeListener("exit", removeScratch);
  }
}

/** Returns a function that sends the index to a team server; null if the store is not one or has the index already. */
async function findSharing(place: string, commit: string, say: (what: string) => void): Promise<PublishWork["share"]> {
  const [, url, repo] = /^(https?:\/\/.+)\/v1\/base\/([^/]+)\/?$/.exec(place) ?? [];
  if (url === undefined || repo === undefined) return null;
  const server = { url, token: process.env["GROUNDWORK_BASE_TOKEN"] ?? "" };
  const there = await readShared(server, repo, NO_SIGNAL);
  if (there === null || isShared(there, commit)) return null;
  return async (index, tree) => {
    const work = { index, tree, commit, reads: getReads(), server, repo, there, nowMs: systemClock.nowMs() };
    const shared = await shareIndex({ ...work, signal: NO_SIGNAL, say });
    return shared.ok ? succeed(undefined) : shared;
  };
}

/** A store, and the key that signs what is written to it. */
interface SignedStore extends Pick<PublishWork, "store" | "key"> {
  readonly place: string;
}

/** Opens a store with the publisher's key, or prints what is wrong with the options. */
function openSigned(action: "publish" | "prune", to: string, options: OptionsOf<"base">): SignedStore | Printed {
  const key = readKey(options);
  if (key === null) return misuse(`base ${action} needs --key FILE, or the key in GROUNDWORK_BASE_KEY`, "base");
  if (!key.ok) return failed(key.fault);
  const place = toPlace(to, workingFolder());
  if (!place.ok) return misuse(place.fault.message, "base");
  const store = openObjectStore(place.value, process.env["GROUNDWORK_BASE_TOKEN"] ?? null);
  return { key: key.value, place: place.value, store };
}

/** Private key for publishing; null if none is given. */
function readKey({ key }: OptionsOf<"base">): Outcome<KeyObject> | null {
  const given = process.env["GROUNDWORK_BASE_KEY"];
  if (key === undefined || key === "") return given === undefined || given === "" ? null : readPrivateKey(given);
  try {
    return readPrivateKey(readFileSync(resolve(workingFolder(), key), "utf8"));
  } catch {
    return fail("E_CONFIG", `${key} cannot be read`);
  }
}

async function joinStore(written: string | undefined, options: OptionsOf<"base">): Promise<Printed> {
  if (written === undefined) return misuse("base join needs a store: DIR or URL", "base");
  if (options.key === undefined)
    return misuse("base join needs --key with the public key of the publisher, or a file with such keys", "base");
  const keys = readPublicKeys(options.key);
  if (!keys.ok) return misuse(keys.fault.message, "base");
  const place = toPlace(written, workingFolder());
  if (!place.ok) return misuse(place.fault.message, "base");
  const here = findHere(options);
  if (!here.ok) return failed(here.fault);
  const { home, repository } = here.value;
  const before = readJoinBook(home).joins.find((one) => one.repository === repository);
  if (before !== undefined && before.store === place.value && before.highest > 0 && options.yes !== true) {
    const what = `lists older than ${before.highest} would be trusted again`;
    if (!canAsk())
      return misuse(`this store is joined already; to join again, after which ${what}, run it with --yes`, "base");
    if (!(await confirm(`Join again? After that, ${what}.`))) return { text: "Nothing was changed.\n", exitCode: 1 };
  }
  const joined = {
    repository,
    store: place.value,
    keys: keys.value,
    highest: 0,
    at: toIsoSeconds(systemClock.nowMs()),
  };
  const others = changeJoins(
    home,
    (joins) => [...joins.filter((one) => one.repository !== repository), joined],
    options.yes === true,
  );
  if (!others.ok) return failed(others.fault);
  if (options.json === true) return printedJson({ schema_version: "1.0", ...joined });
  return {
    text: `Joined ${place.value}. The next build looks there for a base; to do it now: groundwork index\n`,
    exitCode: 0,
  };
}

/** Public keys from an option: a single key, or a file with one key per line. */
function readPublicKeys(given: string): Outcome<readonly string[]> {
  if (isPublicKey(given)) return succeed([given]);
  try {
    const text = readFileSync(resolve(workingFolder(), given), "utf8").slice(0, MAX_KEYS_BYTES);
    const keys = text.split(/\s+/).filter(isPublicKey);
    if (keys.length > 0) return succeed(keys);
  } catch {
    // Reported below.
  }
  return fail("E_INVALID_ARGS", `${given} is neither a public key nor a file with one`);
}

function showStatus(options: OptionsOf<"base">): Printed {
  const root = rootOf(options);
  if (root === null) return failed(noRepository().fault);
  const status = describeBase(process.env, root, indexFolderOf(process.env, root));
  if (options.json === true) return printedJson({ schema_version: "1.0", ...status });
  if (!status.joined && status.reason === "")
    return { text: "No store is joined; see: groundwork help base\n", exitCode: 0 };
  const lines = [`state     ${status.state}`];
  if (status.joined) lines.unshift(`store     ${status.store}`, `key       ${status.key}`);
  if (status.attached !== null) {
    const { commit, files_over: over } = status.attached;
    lines.push(`base      ${commit.slice(0, 12)}, ${countOf(over, "file")} over it`);
  }
  if (status.reason !== "") lines.push(`reason    ${status.reason}`);
  return { text: `${lines.join("\n")}\n`, exitCode: 0 };
}

function leaveStore(options: OptionsOf<"base">): Printed {
  const here = findHere(options);
  if (!here.ok) return failed(here.fault);
  const { home, repository } = here.value;
  const was = readJoinBook(home).joins.some((one) => one.repository === repository);
  const left = changeJoins(home, (joins) => joins.filter((one) => one.repository !== repository));
  if (!left.ok) return failed(left.fault);
  if (options.json === true) return printedJson({ schema_version: "1.0", repository, left: was });
  return {
    text: was ? "Left. The next build makes a complete local index.\n" : "No store was joined here.\n",
    exitCode: 0,
  };
}

async function prune(options: OptionsOf<"base">): Promise<Printed> {
  const keep = Number(options.keep ?? "");
  if (options.to === undefined || !Number.isSafeInteger(keep) || keep < 1)
    return misuse("base prune needs --to DIR or URL, and --keep N with at least 1", "base");
  const signed = openSigned("prune", options.to, options);
  if ("exitCode" in signed) return signed;
  const pruned = await pruneStore({ ...signed, keep, signal: NO_SIGNAL });
  if (!pruned.ok) return failed(pruned.fault);
  const { kept, removed, objects } = pruned.value;
  if (options.json === true) return printedJson({ schema_version: "1.0", kept, removed, objects });
  return {
    text: `Kept ${countOf(kept, "base")}, removed ${removed} with ${countOf(objects, "object")}.\n`,
    exitCode: 0,
  };
}

function rootOf({ repo }: OptionsOf<"base">): string | null {
  const folder = toRealFolder(resolve(workingFolder(), repo ?? "."));
  return folder === null ? null : findRepoRoot(folder).root;
}

/** The repository that joins or leaves a store, and the home folder that has the record of it. */
function findHere(options: OptionsOf<"base">): Outcome<{ readonly home: string; readonly repository: string }> {
  const home = findHome(process.env);
  if (home === null)
    return fail("E_CONFIG", `HOME names no folder, so there is no ~/${JOINS_FILE}`, "set HOME to your home folder");
  const root = rootOf(options);
  const repository = root === null ? null : findCommonFolder(root);
  return repository === null ? noRepository() : succeed({ home, repository });
}

function noRepository() {
  return fail("E_REPO_ROOT", "there is no git repository here", "go to one, or name it with --repo DIR");
}
