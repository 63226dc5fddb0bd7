import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { toSha256 } from "../base/hash.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { readLinkOrNull, toCode } from "./file-state.ts";

/** One change to the machine. `hint` says what to do where the folder of `path` may not be written. */
export type Step = { readonly path: string; readonly hint?: string } & (
  | {
      readonly kind: "write";
      readonly bytes: Buffer | string;
      readonly mode: number;
      /** Of folders that have to be made for it; without one the umask decides. */
      readonly folderMode?: number;
      /** SHA-256 of what the plan saw there (of a link: its target's name); null for nothing. Other content stops it. */
      readonly expect: string | null;
    }
  /** A link is copied as a link. */
  | { readonly kind: "backup"; readonly from: string }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "move"; readonly from: string }
  | { readonly kind: "remove" }
  /** Only where it is empty. */
  | { readonly kind: "remove-folder" }
);

/**
 * Carries out the steps in order. Contract: each is whole or not done at all; at the first that fails the rest is left,
 * and the fault names the path. Planning again from there completes the work.
 */
export function applySteps(steps: readonly Step[]): Outcome<null> {
  for (const step of steps) {
    try {
      applyStep(step);
    } catch (thrown) {
      const why = thrown instanceof ChangedMeanwhile ? thrown.message : `could not be written (${toCode(thrown)})`;
      return fail("E_CONFIG", `${step.path}: ${why}; run this again to complete it`, step.hint);
    }
  }
  return succeed(null);
}

class ChangedMeanwhile extends Error {}

function applyStep(step: Step): void {
  if (step.kind === "remove") rmSync(step.path, { force: true });
  else if (step.kind === "remove-folder") removeEmptyFolder(step.path);
  else {
    const mode = step.kind === "write" ? step.folderMode : undefined;
    mkdirSync(dirname(step.path), { recursive: true, ...(mode === undefined ? {} : { mode }) });
    if (step.kind === "write") writeExpected(step);
    else if (step.kind === "backup") copyAside(step.from, step.path);
    else if (step.kind === "link") replaceLink(step.path, step.target);
    else renameSync(step.from, step.path);
  }
}

function writeExpected(step: Step & { readonly kind: "write" }): void {
  const link = readLinkOrNull(step.path);
  const now = link ?? (existsSync(step.path) ? readFileSync(step.path) : null);
  if ((now === null ? null : toSha256(now)) !== step.expect) {
    throw new ChangedMeanwhile("was changed by somebody else in this moment");
  }
  replaceFile(step.path, step.bytes, step.mode);
}

function copyAside(from: string, path: string): void {
  const target = readLinkOrNull(from);
  if (target !== null) symlinkSync(target, path);
  else replaceFile(path, readFileSync(from), statSync(from).mode & 0o7777);
}

function replaceLink(path: string, target: string): void {
  const temp = toTempPath(path);
  symlinkSync(target, temp);
  renameOrClean(temp, path);
}

/** Writes beside the file and renames over it, so that a reader sees the old content or the new, never a part. */
function replaceFile(path: string, bytes: Buffer | string, mode: number): void {
  const temp = toTempPath(path);
  const fd = openSync(temp, "wx", mode);
  try {
    writeFileSync(fd, bytes);
    // The mode given to open() is narrowed by the umask.
    fchmodSync(fd, mode);
    keepOwner(fd, path);
    fsyncSync(fd);
  } catch (thrown) {
    rmSync(temp, { force: true });
    throw thrown;
  } finally {
    closeSync(fd);
  }
  renameOrClean(temp, path);
}

/** Under sudo the new file would belong to root, and its user could no longer change it. */
function keepOwner(fd: number, path: string): void {
  if (!existsSync(path)) return;
  const old = statSync(path);
  const now = fstatSync(fd);
  if (old.uid === now.uid && old.gid === now.gid) return;
  try {
    fchownSync(fd, old.uid, old.gid);
  } catch {
    // Only root may give files away; for anybody else the file is theirs already.
  }
}

function renameOrClean(temp: string, path: string): void {
  try {
    renameSync(temp, path);
  } catch (thrown) {
    rmSync(temp, { force: true });
    throw thrown;
  }
}

function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody keeps something in it, or it is gone.
  }
}

function toTempPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
}
