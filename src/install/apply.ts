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
import { dirname } from "node:path";
import { toSha256 } from "../base/hash.ts";
import { sayError } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { readLinkOrNull } from "./file-state.ts";
import { findTempFiles, toTempPath } from "./temp-files.ts";

/** One change to the file system. `hint` says what to do if the folder of `path` is not writable. */
export type FileStep = { readonly path: string; readonly hint?: string } & (
  | {
      readonly kind: "write";
      readonly bytes: Buffer | string;
      readonly mode: number;
      /** Mode of the parent folders that have to be created; by default the umask decides. */
      readonly folderMode?: number;
      /**
       * SHA-256 of the content seen while planning (of the target path if it is a symlink); null if nothing was there.
       * The step fails if the current content differs.
       */
      readonly expect: string | null;
    }
  /** A symlink is copied as a symlink. */
  | { readonly kind: "backup"; readonly from: string }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "move"; readonly from: string }
  | { readonly kind: "remove" }
  /** Only if the folder is empty. */
  | { readonly kind: "remove-folder" }
);

/**
 * Applies the steps in order. Contract: each step is atomic; after the first failure the remaining steps are skipped,
 * and the fault names the path. Planning and applying again completes the work.
 */
export function applySteps(steps: readonly FileStep[]): Outcome<null> {
  for (const step of steps) {
    try {
      applyStep(step);
    } catch (thrown) {
      const isChanged = thrown instanceof ChangedMeanwhile;
      const why = isChanged ? thrown.message : `could not be written (${sayError(thrown)})`;
      const { fault } = fail("E_CONFIG", `${step.path}: ${why}; run this again to complete it`, step.hint);
      return { ok: false, fault: isChanged ? { ...fault, detail: CHANGED_MEANWHILE } : fault };
    }
  }
  return succeed(null);
}

class ChangedMeanwhile extends Error {}

/** Detail of the fault of a step that found other content than the plan expected. */
export const CHANGED_MEANWHILE = "changed";

function applyStep(step: FileStep): void {
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

function writeExpected({ path, bytes, mode, expect }: FileStep & { readonly kind: "write" }): void {
  replaceFile(path, bytes, mode, () => {
    const now = readLinkOrNull(path) ?? (existsSync(path) ? readFileSync(path) : null);
    if ((now === null ? null : toSha256(now)) !== expect)
      throw new ChangedMeanwhile("was changed by another program at the same moment");
  });
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

/**
 * Writes a temporary file and renames it, so that a reader sees the old or the new content, never a part. `check` runs
 * right before the rename and throws if the file must not be replaced, as when its client has just written it.
 */
function replaceFile(path: string, bytes: Buffer | string, mode: number, check: () => void = () => {}): void {
  for (const left of findTempFiles(path)) rmSync(left, { force: true });
  const temp = toTempPath(path);
  const fd = openSync(temp, "wx", mode);
  try {
    writeFileSync(fd, bytes);
    // The umask restricts the mode given to open().
    fchmodSync(fd, mode);
    keepOwner(fd, path);
    fsyncSync(fd);
  } catch (thrown) {
    rmSync(temp, { force: true });
    throw thrown;
  } finally {
    closeSync(fd);
  }
  renameOrClean(temp, path, check);
}

/** Preserves the owner: under sudo the new file would belong to root, and the user could no longer change it. */
function keepOwner(fd: number, path: string): void {
  if (!existsSync(path)) return;
  const old = statSync(path);
  const now = fstatSync(fd);
  if (old.uid === now.uid && old.gid === now.gid) return;
  try {
    fchownSync(fd, old.uid, old.gid);
  } catch {
    // Only root may change the owner; for other users the file already has the right one.
  }
}

function renameOrClean(temp: string, path: string, check: () => void = () => {}): void {
  try {
    check();
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
    // The folder is not empty, or already gone.
  }
}
