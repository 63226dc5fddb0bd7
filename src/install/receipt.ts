import { toSha256 } from "../base/hash.ts";
import { isRecord, parseObject } from "../base/text.ts";
import { CLIENT_IDS, CLIENTS, type ClientId } from "../contract/clients.ts";
import type { OldTimeouts } from "./edit/entry-editor.ts";
import { readFileState, readLinkOrNull } from "./file-state.ts";

/** Backup of a file that existed before. */
export interface BackupRecord {
  readonly path: string;
  /** Hash of the backup's content; of the target path if the backup is a symlink. */
  readonly sha256: string;
}

/** Record of a file that belongs to us entirely. */
export interface OwnFileRecord {
  readonly client: ClientId;
  readonly path: string;
  /** Hash of the content that we wrote. */
  readonly sha256: string;
  /** Backup of the foreign file that was there before. */
  readonly displaced: BackupRecord | null;
}

/** Record of our entry in one of the user's files. */
export interface EntryRecord {
  readonly client: ClientId;
  readonly path: string;
  /** Hash of the file as we left it. */
  readonly sha256: string;
  /** "added": ours. "taken-over": it existed for the foreign file that we displaced; only its timeout may be ours. */
  readonly entry: "added" | "taken-over";
  /** Original timeouts of a taken-over entry; null if none was changed. */
  readonly timeout_before: OldTimeouts | null;
  /** What did not exist before: `file`, and the names of containers in it. */
  readonly made: readonly string[];
  /** Backup of the file without our entry; null if none is known. */
  readonly before: BackupRecord | null;
}

/** Record of the symlink to codex-auto. */
export interface WrapperRecord {
  readonly path: string;
  readonly target: string;
}

/**
 * Everything that was added to this machine, so that it can be removed again. Contract: at most one record per path.
 */
export interface Receipt {
  readonly version: 2;
  readonly files: readonly OwnFileRecord[];
  readonly entries: readonly EntryRecord[];
  readonly wrapper: WrapperRecord | null;
  /** Folders that did not exist before, outermost first. */
  readonly folders: readonly string[];
}

const EMPTY_RECEIPT: Receipt = { version: 2, files: [], entries: [], wrapper: null, folders: [] };

/** The receipt as read from its file. */
export interface ReceiptFile {
  readonly receipt: Receipt;
  /** "damaged" is treated like an empty receipt: our files are then recognised by marker, command and symlink. */
  readonly state: "valid" | "absent" | "damaged";
  /** Why the receipt's path cannot be read as a file; null if it can. */
  readonly blocked: string | null;
  /** Hash of the current file; null if there is none. */
  readonly sha256: string | null;
}

/** Reads the receipt. Contract: never throws; an incomplete record counts as damaged; version 1 is understood. */
export function readReceipt(path: string): ReceiptFile {
  const file = readFileState(path);
  const none = { receipt: EMPTY_RECEIPT, blocked: null, sha256: null };
  if (file.kind === "absent") return { ...none, state: "absent" };
  if (file.kind === "blocked") return { ...none, state: "damaged", blocked: `${path} ${file.why}` };
  const receipt = parseReceipt(file.bytes.toString("utf8"));
  const sha256 = toSha256(file.bytes);
  return receipt === null ? { ...none, state: "damaged", sha256 } : { ...none, state: "valid", receipt, sha256 };
}

/** True if the backup still exists with its original content. */
export function isIntact({ path, sha256 }: BackupRecord): boolean {
  const link = readLinkOrNull(path);
  if (link !== null) return toSha256(link) === sha256;
  const file = readFileState(path);
  return file.kind === "file" && toSha256(file.bytes) === sha256;
}

/** Serialises a receipt. Contract: equal receipts give equal text. */
export function toReceiptText(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`;
}

/** True if a receipt lists nothing. Folders do not count: they are only ever removed if empty. */
export function isEmptyReceipt({ files, entries, wrapper }: Receipt): boolean {
  return files.length === 0 && entries.length === 0 && wrapper === null;
}

/** Adds a record, replacing the one for the same path. */
export function putRecord<T extends { readonly path: string }>(records: readonly T[], record: T): T[] {
  return records.some(({ path }) => path === record.path)
    ? records.map((old) => (old.path === record.path ? record : old))
    : [...records, record];
}

function parseReceipt(text: string): Receipt | null {
  const data = parseObject(text);
  if (data === null) return null;
  const { files, entries: written, wrapper, folders } = data.version === 1 ? fromVersion1(data) : data;
  const entries = Array.isArray(written) ? written.map(withEvent) : null;
  if (!Array.isArray(files) || !files.every(isOwnFile)) return null;
  if (entries === null || !entries.every(isEntry)) return null;
  if (!Array.isArray(folders) || !folders.every(isText) || !isNullOr(wrapper, isWrapper)) return null;
  return { version: 2, files, entries, wrapper, folders };
}

/** Version 1 supported only Claude Code, with one launcher and one settings file. */
function fromVersion1({ hook, settings, wrapper, folders }: Readonly<Record<string, unknown>>) {
  const toList = (record: unknown) => (record === null ? [] : [{ ...(record as object), client: "claude" }]);
  const entries = toList(settings).map((entry) => ({ ...entry, made: toNames((entry as { made?: unknown }).made) }));
  return { files: toList(hook), entries, wrapper, folders };
}

function toNames(made: unknown): unknown {
  if (!isRecord(made) || !["file", "hooks", "event"].every((key) => typeof made[key] === "boolean")) return null;
  const names = { file: "file", hooks: "hooks", event: "hooks.UserPromptSubmit" };
  return Object.entries(names).flatMap(([key, name]) => (made[key] === true ? [name] : []));
}

/** Earlier receipts have only one original timeout for an entry, that of the prompt hook. */
function withEvent(entry: unknown): unknown {
  if (!isRecord(entry) || !isClient(entry.client) || !isText(entry.timeout_before)) return entry;
  return { ...entry, timeout_before: { [CLIENTS[entry.client].event]: entry.timeout_before } };
}

function isNullOr<T>(value: unknown, isT: (value: unknown) => value is T): value is T | null {
  return value === null || isT(value);
}

const isText = (value: unknown): value is string => typeof value === "string";
const isClient = (value: unknown): value is ClientId => CLIENT_IDS.some((id) => id === value);

function isBackup(value: unknown): value is BackupRecord {
  return isRecord(value) && isText(value.path) && isText(value.sha256);
}

function isOldTimeouts(value: unknown): value is OldTimeouts {
  return isRecord(value) && Object.values(value).every(isText);
}

function isOwnFile(value: unknown): value is OwnFileRecord {
  if (!isRecord(value) || !isClient(value.client)) return false;
  return isText(value.path) && isText(value.sha256) && isNullOr(value.displaced, isBackup);
}

function isEntry(value: unknown): value is EntryRecord {
  if (!isRecord(value) || !isClient(value.client) || !isText(value.path) || !isText(value.sha256)) return false;
  if (!Array.isArray(value.made) || !value.made.every(isText)) return false;
  if (value.entry !== "added" && value.entry !== "taken-over") return false;
  return isNullOr(value.timeout_before, isOldTimeouts) && isNullOr(value.before, isBackup);
}

function isWrapper(value: unknown): value is WrapperRecord {
  return isRecord(value) && isText(value.path) && isText(value.target);
}
