import { createPrivateKey } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Join } from "../../src/config/join-book.ts";
import { openGitObjects } from "../../src/engine/history/git-objects.ts";
import { type BringWork, type Brought, bringBase } from "../../src/team/bring-base.ts";
import { makeFolderStore } from "../../src/team/folder-store.ts";
import { makeKeyPair } from "../../src/team/keys.ts";
import type { ObjectStore } from "../../src/team/object-store.ts";
import { type PublishWork, publishBase } from "../../src/team/publish.ts";
import { git, HISTORY_SETTINGS, makeRepo } from "./git-repo.ts";
import { type IndexedRepo, makeIndexable } from "./indexed-repo.ts";
import { makeFolder } from "./temp-folder.ts";

/** Parser versions that tests claim. */
export const READS = { schema: 6, grammars: "0".repeat(64) };
const signal = new AbortController().signal;

/** Returns a file that calls the next one. */
export function chainFile(at: number, body = `return ${at}`): string {
  return `import { fun${at + 1} } from "./f${at + 1}";\n\n/** Does step ${at}. */\nexport function fun${at}() {\n  fun${at + 1}();\n  ${body};\n}\n`;
}

/** Returns `count` files, each of which calls the next. */
export function chainFiles(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/f${at}.ts`, chainFile(at)]));
}

/** Makes a repository with these files, or this many, a store, and a key pair for publishing. */
export function makeTeam(given: number | Readonly<Record<string, string>> = 40, share: PublishWork["share"] = null) {
  const files = typeof given === "number" ? chainFiles(given) : given;
  const root = makeRepo([{ files, subject: "start", at: "2026-01-01T00:00:00Z" }]);
  const pair = makeKeyPair();
  const store = makeFolderStore(makeFolder());
  return {
    root,
    store,
    pair,
    publish: (id = git(root, ["rev-parse", "HEAD"]), key = pair.privateKey, replaced: readonly string[] = []) => {
      const objects = openGitObjects(root, HISTORY_SETTINGS, signal);
      if (objects === null) throw new Error("no git");
      return publishBase({
        git: objects,
        commit: id,
        store,
        key: createPrivateKey(key),
        replaced,
        reads: READS,
        scratch: makeFolder(),
        build: async (tree, folder, bases) => {
          await makeIndexable(tree.folder, folder, () => bases, tree).build();
        },
        share,
        signal,
        say: () => {},
      });
    },
  };
}

/** Simulates a separate machine that has joined a store. */
export function makeClient(root: string, store: ObjectStore, keys: readonly string[]) {
  const state = makeFolder();
  const bases = join(state, "bases");
  mkdirSync(bases);
  let joined: Join = { repository: join(root, ".git"), store: store.place, keys, highest: 0, at: "" };
  let bytes = 0;
  const bring = (reads = READS, from = store, more: Partial<BringWork> = {}): Promise<Brought> =>
    bringBase({
      git: openGitObjects(root, HISTORY_SETTINGS, signal),
      join: joined,
      store: from,
      reads,
      folder: bases,
      signal,
      isWanted: () => true,
      ...more,
      onBytes: (done) => {
        bytes = done;
      },
      onSequence: (sequence) => {
        joined = { ...joined, highest: Math.max(joined.highest, sequence) };
      },
    });
  return {
    bases,
    bring,
    /** Bytes downloaded by the last `bring`. */
    bytes: () => bytes,
    /** Makes the index of the repository on this machine, laid over these bases. */
    indexOver: (names: readonly string[]): IndexedRepo => makeIndexable(root, join(state, "index", "one"), () => names),
  };
}
