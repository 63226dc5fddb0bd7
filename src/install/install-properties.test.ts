import { lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseTomlData } from "smol-toml";
import { describe, expect, it } from "vitest";
import { CLIENT_IDS } from "../contract/clients.ts";
import { findOurEntries, locateFiles } from "./clients/find-clients.ts";
import { type GeneratedFile, jsonFiles, tomlFiles } from "./generated-files.test-helper.ts";
import type { InstallPlaces, InstallRequest } from "./request.ts";
import { runInstall } from "./run-install.ts";
import { ask, makeScratch, snapshot } from "./scratch-home.test-helper.ts";

/** The user's files with their generators; every run uses all six. */
const FILES = {
  ".claude/settings.json": jsonFiles(["UserPromptSubmit", "PreToolUse"]),
  ".codex/hooks.json": jsonFiles(["UserPromptSubmit"]),
  ".codex/config.toml": tomlFiles(),
  ".gemini/settings.json": jsonFiles(["BeforeAgent"]),
  ".qwen/settings.json": jsonFiles(["UserPromptSubmit"]),
  ".kimi-code/config.toml": tomlFiles(),
} satisfies Record<string, fc.Arbitrary<GeneratedFile>>;
const HOMES = fc.record(FILES);
type Home = Record<string, GeneratedFile>;
const isToml = (name: string) => name.endsWith(".toml");

const EVERY = {
  clients: CLIENT_IDS,
  everything: false,
  subAgents: true,
  statusLine: true,
} satisfies Partial<InstallRequest>;

async function run(request: InstallRequest, places: InstallPlaces): Promise<void> {
  const done = await runInstall(request, places);
  if (!done.ok) throw new Error(done.fault.message);
}

/** A machine with these files, some of them symlinks into a dotfiles folder. */
function makeMachine(home: Home) {
  const scratch = makeScratch();
  const { places, folder, write, link } = scratch;
  for (const [name, { text, isLink, mode }] of Object.entries(home)) {
    const path = join(places.home, name);
    const target = isLink ? join(folder, "dotfiles", name.replaceAll("/", "_")) : path;
    write(target, text, mode);
    if (isLink) link(target, path);
  }
  write(join(places.home, ".copilot/hooks/mine.json"), '{"version":1}');
  write(join(places.home, ".config/opencode/plugins/mine.js"), "export const Mine = 1;\n");
  return { ...scratch, read: (name: string) => readFileSync(join(places.home, name), "utf8") };
}

/** Content and mode of everything except the program and its state. */
function look(folder: string): Record<string, string> {
  const modes = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !lstatSync(join(folder, name)).isSymbolicLink())
    .map((name): [string, string] => [`mode ${name}`, String(statSync(join(folder, name)).mode)]);
  const all = { ...snapshot(folder), ...Object.fromEntries(modes) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !/^(?:mode )?(?:state|project)(?:\/|$)/.test(name)));
}

/** True if `text` results from `original` by insertions only. */
function onlyInserts(original: string, text: string): boolean {
  let at = 0;
  for (let index = 0; index < text.length && at < original.length; index++) if (text[index] === original[at]) at++;
  return at === original.length;
}

const dataOf = (name: string, text: string): unknown =>
  isToml(name)
    ? parseTomlData(text.replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" })
    : (parseJson(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true }) ?? {});

describe("[P-2] any settings", () => {
  it("are restored to the byte, and no foreign content changes in between (312 files)", async () => {
    await fc.assert(
      fc.asyncProperty(HOMES, async (home) => {
        const { folder, places, later, read } = makeMachine(home);
        const before = look(folder);
        await run(ask("install", EVERY), places);
        const installed = look(folder);
        for (const [name, { text }] of Object.entries(home)) {
          const isBlank = text.replace(/^\uFEFF/, "").trim() === "";
          if (!isBlank) expect(onlyInserts(text, read(name)), name).toBe(true);
          if (isToml(name)) expect(read(name).startsWith(text), name).toBe(true);
        }
        for (const client of CLIENT_IDS)
          for (const { path, entries } of findOurEntries(locateFiles(client, places.home, {})))
            expect(entries.ok && entries.value.map((entry) => entry.isCurrent), path).not.toContain(false);
        await run(ask("install", EVERY), later(5));
        expect(look(folder)).toEqual(installed);
        await run(ask("uninstall"), later(10));
        expect(look(folder)).toEqual(before);
      }),
      { numRuns: 52 },
    );
  });

  it("keep the user's later edits when our entries are removed (72 files)", async () => {
    await fc.assert(
      fc.asyncProperty(HOMES, async (home) => {
        const { places, later, read } = makeMachine(home);
        const original = Object.fromEntries(Object.keys(home).map((name) => [name, dataOf(name, read(name))]));
        await run(ask("install", EVERY), places);
        for (const name of Object.keys(home)) {
          const edited = isToml(name)
            ? read(name).replace(/^(\uFEFF?)/, "$1edited = 1\n")
            : read(name).replace("{", '{"edited":1,');
          writeFileSync(join(places.home, name), edited);
        }
        await run(ask("uninstall"), later(5));
        for (const name of Object.keys(home))
          expect(toText(dataOf(name, read(name))), name).toBe(toText({ edited: 1, ...(original[name] as object) }));
      }),
      { numRuns: 12 },
    );
  });
});

/** Serialises data so that equal data gives equal text; TOML integers may be of type bigint. */
function toText(data: unknown): string {
  return JSON.stringify(data, (_key, value: unknown) =>
    typeof value === "bigint"
      ? String(value)
      : typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
  );
}
