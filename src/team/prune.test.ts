import { createPrivateKey } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { commit } from "../../tests/support/git-repo.ts";
import { makeClient, makeTeam } from "../../tests/support/team.ts";
import { fail } from "../contract/faults.ts";
import type { ObjectStore } from "./object-store.ts";
import { pruneStore } from "./prune.ts";

const { root, publish, store, pair } = makeTeam(3);
const signal = new AbortController().signal;
const prune = (keep: number, from: ObjectStore = store) =>
  pruneStore({ store: from, key: createPrivateKey(pair.privateKey), keep, signal });
const listObjects = () => readdirSync(join(store.place, "objects"), { recursive: true });

beforeAll(async () => {
  await publish();
  for (const name of ["a", "b"])
    await publish(commit(root, { files: { [`${name}.txt`]: name }, subject: name, at: "2026-01-02T00:00:00Z" }));
});

it("[T-3] nothing is removed if it cannot be determined what is still needed", async () => {
  const before = listObjects();
  const failing: ObjectStore = {
    ...store,
    get: async (...call) =>
      call[0].startsWith("objects/") ? fail("E_TOOL_UNAVAILABLE", "gone for a moment") : store.get(...call),
  };
  expect(await prune(1, failing)).toMatchObject({ ok: false, fault: { message: "gone for a moment" } });
  expect(listObjects()).toEqual(before);
});

it("[T-3] pruning during a publish does not undo the publish", async () => {
  const before = listObjects();
  const late: ObjectStore = { ...store, putNew: async () => ({ ok: true, value: false }) };
  expect(await prune(1, late)).toMatchObject({ ok: false, fault: { message: "another publisher was faster" } });
  expect(listObjects()).toEqual(before);
});

it("[T-3] the bases that are kept stay usable", async () => {
  expect(await prune(1)).toMatchObject({ ok: true, value: { kept: 1, removed: 2 } });
  expect(await prune(1)).toMatchObject({ ok: true, value: { kept: 1, removed: 0, objects: 0 } });
  expect(await makeClient(root, store, [pair.publicKey]).bring()).toMatchObject({
    state: "attached",
    base: { sequence: 4 },
  });
});
