import { toSha256 } from "../base/hash.ts";
import { isRecord } from "../base/text.ts";
import { readFileState } from "./file-state.ts";
import type { MadeByUs } from "./settings-edit.ts";

/** A copy of what stood there before us. */
export interface BackupRecord {
  readonly path: string;
  /** Of the copy's content; of the target's name where the copy is a link. */
  readonly sha256: string;
}

/** The launcher. */
export interface HookRecord {
  readonly path: string;
  /** Of what we wrote. */
  readonly sha256: string;
  /** The foreign file that had its place. */
  readonly displaced: BackupRecord | null;
}

/** Our entry in the settings. */
export interface SettingsRecord {
  readonly path: string;
  /** Of the file as we left it. */
  readonly sha256: string;
  /** "added": ours. "taken-over": it stood there for the foreign file that we displaced; only its timeout may be ours. */
  readonly entry: "added" | "taken-over";
  /** JSON text of a taken-over entry's timeout, "" where it had none, null where it was not changed. */
  readonly timeout_before: string | null;
  /** What did not exist before us. */
  readonly made: MadeByUs & { readonly file: boolean };
  /** The file as it was without our entry; null where no copy of that is known. */
  readonly before: BackupRecord | null;
}

/** The link to codex-auto. */
export interface WrapperRecord {
  readonly path: string;
  readonly target: string;
}

/** What was added to this machine, so that it can be taken away again. */
export interface Receipt {
  readonly version: 1;
  readonly hook: HookRecord | null;
  readonly settings: SettingsRecord | null;
  readonly wrapper: WrapperRecord | null;
  /** Folders that did not exist before us, outermost first. */
  readonly folders: readonly string[];
}

/** A receipt of nothing. */
const EMPTY_RECEIPT: Receipt = { version: 1, hook: null, settings: null, wrapper: null, folders: [] };

/** What the receipt's file says. */
export interface ReceiptFile {
  readonly receipt: Receipt;
  /** "damaged" reads as a receipt of nothing: what is ours is then known by its marker, command and link. */
  readonly state: "valid" | "absent" | "damaged";
  /** Why what stands in its place cannot be a file of ours at all; null where it can. */
  readonly blocked: string | null;
  /** Of the file as it is; null where there is none. */
  readonly sha256: string | null;
}

/** Reads the receipt. Contract: never throws; a record that is not whole counts as damaged. */
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

/** Text of a receipt. Contract: equal receipts give equal text. */
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
