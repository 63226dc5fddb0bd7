import { toSha256 } from "../base/hash.ts";
import { isRecord } from "../base/text.ts";
import { readFileState } from "./file-state.ts";
import type { MadeByUs } from "./settings-edit.ts";

/** A backup of what was there before. */
export interface BackupRecord {
  readonly path: string;
  /** Hash of the backup's content; of the target path if the backup is a symlink. */
  readonly sha256: string;
}

/** Record of the launcher. */
export interface HookRecord {
  readonly path: string;
  /** Hash of what we wrote. */
  readonly sha256: string;
  /** Backup of the foreign file that was there before. */
  readonly displaced: BackupRecord | null;
}

/** Record of our entry in the settings. */
export interface SettingsRecord {
  readonly path: string;
  /** Hash of the file as we left it. */
  readonly sha256: string;
  /** "added": ours. "taken-over": it existed for the foreign file that we displaced; only its timeout may be ours. */
  readonly entry: "added" | "taken-over";
  /** JSON text of the original timeout of a taken-over entry, "" if it had none, null if it was not changed. */
  readonly timeout_before: string | null;
  /** What did not exist before. */
  readonly made: MadeByUs & { readonly file: boolean };
  /** Backup of the file without our entry; null if none is known. */
  readonly before: BackupRecord | null;
}

/** Record of the symlink to codex-auto. */
export interface WrapperRecord {
  readonly path: string;
  readonly target: string;
}

/** What was added to this machine, so that it can be removed again. */
export interface Receipt {
  readonly version: 1;
  readonly hook: HookRecord | null;
  readonly settings: SettingsRecord | null;
  readonly wrapper: WrapperRecord | null;
  /** Folders that did not exist before, outermost first. */
  readonly folders: readonly string[];
}

const EMPTY_RECEIPT: Receipt = { version: 1, hook: null, settings: null, wrapper: null, folders: [] };

/** The receipt as read from its file. */
export interface ReceiptFile {
  readonly receipt: Receipt;
  /** "damaged" is treated like an empty receipt: our files are then recognized by marker, command and symlink. */
  readonly state: "valid" | "absent" | "damaged";
  /** Why the entry at its path cannot be a file of ours at all; null if it can. */
  readonly blocked: string | null;
  /** Hash of the current file; null if there is none. */
  readonly sha256: string | null;
}

/** Reads the receipt. Contract: never throws; an incomplete record counts as damaged. */
export function readReceipt(path: string): ReceiptFile {
  const file = readFileState(path);
  if (file.kind === "absent") return { receipt: EMPTY_RECEIPT, state: "absent", blocked: null, sha256: null };
  if (file.kind === "blocked")
    return { receipt: EMPTY_RECEIPT, state: "damaged", blocked: `${path} ${file.why}`, sha256: null };
  const receipt = parseReceipt(file.bytes.toString("utf8"));
  return {
    receipt: receipt ?? EMPTY_RECEIPT,
    state: receipt === null ? "damaged" : "valid",
    blocked: null,
    sha256: toSha256(file.bytes),
  };
}

/** Serializes a receipt. Contract: equal receipts give equal text. */
export function toReceiptText(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`;
}

function parseReceipt(text: string): Receipt | null {
  try {
    const data: unknown = JSON.parse(text);
    if (!isRecord(data) || data.version !== 1) return null;
    const { hook, settings, wrapper, folders } = data;
    if (!isNullOr(hook, isHook) || !isNullOr(settings, isSettings) || !isNullOr(wrapper, isWrapper)) return null;
    if (!Array.isArray(folders) || !folders.every(isText)) return null;
    return { version: 1, hook, settings, wrapper, folders };
  } catch {
    return null;
  }
}

function isNullOr<T>(value: unknown, isT: (value: unknown) => value is T): value is T | null {
  return value === null || isT(value);
}

const isText = (value: unknown): value is string => typeof value === "string";

function isBackup(value: unknown): value is BackupRecord {
  return isRecord(value) && isText(value.path) && isText(value.sha256);
}

function isHook(value: unknown): value is HookRecord {
  return isRecord(value) && isText(value.path) && isText(value.sha256) && isNullOr(value.displaced, isBackup);
}

function isSettings(value: unknown): value is SettingsRecord {
  if (!isRecord(value) || !isText(value.path) || !isText(value.sha256) || !isRecord(value.made)) return false;
  const { file, hooks, event } = value.made;
  if (![file, hooks, event].every((flag) => typeof flag === "boolean")) return false;
  if (value.entry !== "added" && value.entry !== "taken-over") return false;
  return isNullOr(value.timeout_before, isText) && isNullOr(value.before, isBackup);
}

function isWrapper(value: unknown): value is WrapperRecord {
  return isRecord(value) && isText(value.path) && isText(value.target);
}
