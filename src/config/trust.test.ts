import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAMAGES } from "../../tests/support/damage.ts";
import { GIT_FILES, makeFolder } from "../../tests/support/temp-folder.ts";
import { toSha256 } from "../base/hash.ts";
import { REPOSITORY_FILE, TRUST_FILE } from "./places.ts";
import { findPinnable, judgeTrust } from "./trust.ts";
import { readTrustBook, type TrustedRepository, toBookText } from "./trust-book.ts";

const AT = "2026-11-15T10:15:00Z";
const SETTINGS = "auto_tools: on\n";
const HOOK = ".groundwork/hooks/beforeToolCall.json";

/** Writes a trust record as the command writes it. */
function writeBook(home: string, repositories: readonly TrustedRepository[], mode = 0o600): string {
  const path = join(home, TRUST_FILE);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, toBookText(repositories));
  chmodSync(path, mode);
  return path;
}

/** A repository that is trusted in its current state. */
function makeTrusted(files: Readonly<Record<string, string>> = {}) {
  const home = makeFolder();
  const root = makeFolder({ ...GIT_FILES, [REPOSITORY_FILE]: SETTINGS, ...files });
  const path = writeBook(home, [{ root, files: findPinnable(root).files, at: AT }]);
  return { home, root, path };
}

function replace(path: string, make: () => unknown): void {
  rmSync(path);
  make();
}

const seen = (text = SETTINGS) => [{ path: REPOSITORY_FILE, bytes: Buffer.from(text) }];

describe("[decision 8] trust covers exactly the files that were approved", () => {
  it("if nothing has changed", () => {
    const { home, root } = makeTrusted({ [HOOK]: "{}", ".snow/hooks/afterToolCall.json": "{}" });
    expect(judgeTrust(home, root, seen())).toEqual({ kind: "trusted", since: AT });
    expect(judgeTrust(home, root)).toEqual({ kind: "trusted", since: AT });
    expect(judgeTrust(home, root, [{ path: HOOK, bytes: Buffer.from("{}") }]).kind).toBe("trusted");
    expect(findPinnable(root).files).toEqual([
      { path: HOOK, sha256: toSha256("{}") },
      { path: ".snow/hooks/afterToolCall.json", sha256: toSha256("{}") },
      { path: REPOSITORY_FILE, sha256: toSha256(SETTINGS) },
    ]);
  });

  it.each<[string, (root: string) => void]>([
    ["a byte more", (root) => writeFileSync(join(root, REPOSITORY_FILE), `${SETTINGS} `)],
    ["other line ends", (root) => writeFileSync(join(root, REPOSITORY_FILE), SETTINGS.replace("\n", "\r\n"))],
    ["a changed hook", (root) => writeFileSync(join(root, HOOK), "{ }")],
    ["an added hook", (root) => writeFileSync(join(root, dirname(HOOK), "onStop.json"), "{}")],
    ["a removed hook", (root) => rmSync(join(root, HOOK))],
    ["a renamed hook", (root) => renameSync(join(root, HOOK), join(root, dirname(HOOK), "other.json"))],
    ["removed settings", (root) => rmSync(join(root, REPOSITORY_FILE))],
    ["a hook that grew too large", (root) => writeFileSync(join(root, HOOK), " ".repeat(70_000))],
    [
      "too many hooks to look at",
      (root) => {
        for (let at = 0; at < 300; at++) writeFileSync(join(root, dirname(HOOK), `${at}.txt`), "");
      },
    ],
    [
      "a second hook folder",
      (root) => {
        mkdirSync(join(root, ".snow/hooks"), { recursive: true });
        writeFileSync(join(root, ".snow/hooks/a.json"), "{}");
      },
    ],
  ])("%s undoes it", (_name, change) => {
    const { home, root } = makeTrusted({ [HOOK]: "{}" });
    change(root);
    expect(judgeTrust(home, root)).toEqual({ kind: "changed", since: AT });
  });

  it("the bytes that were read count, not the current content of the file", () => {
    const { home, root } = makeTrusted();
    expect(judgeTrust(home, root, seen("auto_tools: off\n")).kind).toBe("changed");
    writeFileSync(join(root, REPOSITORY_FILE), "tier_max: 0\n");
    expect(judgeTrust(home, root, seen()).kind).toBe("trusted");
    expect(judgeTrust(home, root, [{ path: "src/other.json", bytes: Buffer.from(SETTINGS) }]).kind).toBe("changed");
  });

  it("does not extend to a copy, an inner or an outer repository", () => {
    const { home, root } = makeTrusted();
    const copy = makeFolder({ ...GIT_FILES, [REPOSITORY_FILE]: SETTINGS });
    for (const other of [copy, join(root, "vendor/inner"), dirname(root), `${root}/`, `${root}-private`])
      expect(judgeTrust(home, other, seen())).toEqual({ kind: "none" });
    expect(judgeTrust(null, root, seen())).toEqual({ kind: "none" });
  });

  it("anything but a regular file inside the repository is ignored, and nothing blocks", () => {
    const { home, root } = makeTrusted({ [HOOK]: "{}" });
    const folder = join(root, dirname(HOOK));
    execFileSync("mkfifo", [join(folder, "pipe.json")]);
    symlinkSync("/dev/zero", join(folder, "zero.json"));
    symlinkSync("/etc/passwd", join(folder, "outside.json"));
    symlinkSync("missing", join(folder, "dangling.json"));
    mkdirSync(join(folder, "folder.json"));
    writeFileSync(join(folder, "\u001b[31m.json"), "{}");
    writeFileSync(join(folder, "notes.md"), "");
    symlinkSync("/", join(root, ".snow"));
    expect(judgeTrust(home, root).kind).toBe("trusted");
  });
});

describe("[decision 8] [decision 9] a record that others could have written is not used", () => {
  it.each<[string, RegExp, (place: { home: string; path: string }) => void]>([
    ["no JSON", /not a whole trust record/, ({ path }) => writeFileSync(path, "{")],
    ["nothing in it", /not a whole/, ({ path }) => writeFileSync(path, "")],
    ["another version", /not a whole/, ({ path }) => writeFileSync(path, '{"version":2,"repositories":[]}')],
    ["a list", /not a whole/, ({ path }) => writeFileSync(path, "[]")],
    ["no list in it", /not a whole/, ({ path }) => writeFileSync(path, '{"version":1,"repositories":{}}')],
    [
      "a relative root",
      /not a whole/,
      ({ path }) =>
        writeFileSync(path, toBookText([{ root: ".", files: [{ path: "a", sha256: "0".repeat(64) }], at: AT }])),
    ],
    [
      "no files",
      /not a whole/,
      ({ path, home }) => writeFileSync(path, toBookText([{ root: home, files: [], at: AT }])),
    ],
    [
      "a short hash",
      /not a whole/,
      ({ path, home }) =>
        writeFileSync(path, toBookText([{ root: home, files: [{ path: "a", sha256: "0" }], at: AT }])),
    ],
    [
      "an odd time",
      /not a whole/,
      ({ path, home }) =>
        writeFileSync(
          path,
          toBookText([{ root: home, files: [{ path: "a", sha256: "0".repeat(64) }], at: "\u001b[31m" }]),
        ),
    ],
    ["__proto__", /not a whole/, ({ path }) => writeFileSync(path, '{"__proto__":{"version":1,"repositories":[]}}')],
    ["too large", /larger than/, ({ path }) => writeFileSync(path, " ".repeat(2 * 1024 * 1024))],
    ["writable by the group", /may be written by others/, ({ path }) => chmodSync(path, 0o660)],
    ["writable by all", /may be written by others/, ({ path }) => chmodSync(path, 0o606)],
    ["in an open folder", /~\/\.groundwork may be written/, ({ path }) => chmodSync(dirname(path), 0o777)],
    [
      "a link",
      /is a link/,
      ({ path }) => {
        renameSync(path, `${path}.real`);
        symlinkSync(`${path}.real`, path);
      },
    ],
    [
      "in a linked folder",
      /~\/\.groundwork is a link/,
      ({ home }) => {
        renameSync(join(home, ".groundwork"), join(home, "elsewhere"));
        symlinkSync("elsewhere", join(home, ".groundwork"));
      },
    ],
    ["a dangling link", /is a link/, ({ path }) => replace(path, () => symlinkSync("missing", path))],
    ["a folder", /not a regular file|cannot be read/, ({ path }) => replace(path, () => mkdirSync(path))],
    ["a pipe", /not a regular file/, ({ path }) => replace(path, () => execFileSync("mkfifo", [path]))],
    ["a device", /is a link/, ({ path }) => replace(path, () => symlinkSync("/dev/zero", path))],
  ])("%s", (_name, why, damage) => {
    const { home, root, path } = makeTrusted();
    damage({ home, path });
    expect(judgeTrust(home, root, seen())).toEqual({ kind: "damaged", why: expect.stringMatching(why) });
    expect(readTrustBook(home).repositories).toEqual([]);
  });

  it.runIf(process.geteuid?.() === 0)("of another user, file or folder", () => {
    const { home, root, path } = makeTrusted();
    chownSync(path, 12_345, 12_345);
    expect(judgeTrust(home, root, seen())).toMatchObject({
      kind: "damaged",
      why: expect.stringMatching(/another user/),
    });
    chownSync(path, 0, 0);
    chownSync(dirname(path), 12_345, 12_345);
    expect(judgeTrust(home, root, seen())).toMatchObject({
      kind: "damaged",
      why: expect.stringMatching(/another user/),
    });
  });

  it("inside the repository that it is asked about", () => {
    const root = makeFolder({ ...GIT_FILES, [REPOSITORY_FILE]: SETTINGS });
    for (const home of [root, join(root, "home")]) {
      writeBook(home, [{ root, files: findPinnable(root).files, at: AT }]);
      expect(judgeTrust(home, root, seen())).toMatchObject({
        kind: "damaged",
        why: expect.stringMatching(/inside the repository/),
      });
    }
  });

  it("no record, even in a folder open to others, needs no warning", () => {
    const home = makeFolder({ ".groundwork/auto-tools.yaml": "" });
    chmodSync(join(home, ".groundwork"), 0o775);
    expect(judgeTrust(home, makeFolder(), seen())).toEqual({ kind: "none" });
    expect(judgeTrust(makeFolder(), makeFolder(), seen())).toEqual({ kind: "none" });
  });

  // Root can read everything.
  const damages = Object.keys(DAMAGES).filter((name) => name !== "unreadable" || process.getuid?.() !== 0);
  it.each(damages)("[G C.1] a damaged record creates no trust, says why and does not block: %s", (damage) => {
    const { home, root, path } = makeTrusted();
    DAMAGES[damage]?.(path);
    expect(judgeTrust(home, root, seen())).toEqual({
      kind: "damaged",
      why: expect.stringMatching(/^~\/\.groundwork\/trust\.json \w/),
    });
  });

  it("random records never create trust and never throw", () => {
    const { home, root, path } = makeTrusted();
    const piece = fc.oneof(fc.json(), fc.string(), fc.constant(root), fc.constant(toSha256(SETTINGS)));
    void fc.assert(
      fc.property(fc.array(piece), fc.jsonValue(), (pieces, repositories) => {
        for (const text of [pieces.join(""), JSON.stringify({ version: 1, repositories })]) {
          writeFileSync(path, text);
          expect(judgeTrust(home, root, seen()).kind).not.toBe("trusted");
        }
      }),
    );
  });
});
