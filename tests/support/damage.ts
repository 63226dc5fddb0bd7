import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeRandom } from "./random.ts";
import { makeFolder } from "./temp-folder.ts";

/** Target of the most recent link to a file outside. */
export const OUTSIDE = { path: "", text: "somebody's own file\n" };

/** Flips some bytes of a file, consecutive or scattered. Returns a description. */
export function flipBytes(file: string, seed: number): string {
  const random = makeRandom(seed);
  const count = 8 + Math.floor(random() * 505);
  const bytes = readFileSync(file);
  const isRun = random() < 0.5;
  const start = Math.floor(random() * bytes.length);
  for (let at = 0; at < count; at++) {
    const place = isRun ? Math.min(bytes.length - 1, start + at) : Math.floor(random() * bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ (1 + Math.floor(random() * 255));
  }
  writeFileSync(file, bytes);
  return `seed ${seed}: ${count} bytes ${isRun ? `from ${start}` : "all over"}`;
}

/** Ways to damage the file at a path, by name. Contract: the file may be missing, but its folder must exist. */
export const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  empty: (path) => replace(path, () => writeFileSync(path, "")),
  halved: (path) => withFile(path, () => truncateSync(path, Math.floor(statSync(path).size / 2))),
  zeroed: (path) => withFile(path, () => writeFileSync(path, Buffer.alloc(statSync(path).size))),
  random: (path) =>
    withFile(path, () => {
      const next = makeRandom(7);
      writeFileSync(
        path,
        Buffer.from(Array.from({ length: Math.max(4_096, statSync(path).size) }, () => next() * 256)),
      );
    }),
  longer: (path) => withFile(path, () => appendFileSync(path, Buffer.alloc(100_000, 0x5a))),
  "a folder": (path) => replace(path, () => mkdirSync(path)),
  "a folder with something in it": (path) =>
    replace(path, () => {
      mkdirSync(path);
      writeFileSync(join(path, "kept"), "mine\n");
    }),
  "a pipe": (path) => replace(path, () => execFileSync("mkfifo", [path])),
  "a link to /dev/zero": (path) => replace(path, () => symlinkSync("/dev/zero", path)),
  "a link to a file outside": (path) =>
    replace(path, () => {
      OUTSIDE.path = join(makeFolder(), "outside");
      writeFileSync(OUTSIDE.path, OUTSIDE.text);
      symlinkSync(OUTSIDE.path, path);
    }),
  "a link to nowhere": (path) => replace(path, () => symlinkSync(join(path, "nowhere"), path)),
  unreadable: (path) => withFile(path, () => chmodSync(path, 0)),
};

function replace(path: string, make: () => void): void {
  rmSync(path, { recursive: true, force: true });
  make();
}

function withFile(path: string, change: () => void): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) writeFileSync(path, Buffer.alloc(4_096, 0x33));
  change();
}

/** Restores a folder: replaces its contents with those of the copy. */
export function restoreFolder(folder: string, copy: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  cpSync(copy, folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}
