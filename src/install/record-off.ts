import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { toIsoSeconds } from "../base/clock.ts";
import { type Claim, claimOwn } from "../base/file-lock.ts";
import { toSha256 } from "../base/hash.ts";
import { clearPlace } from "../base/state-files.ts";
import { isCurrent, MAX_OFF_BYTES, type OffBook, type OffEntry, readOffBook, toOffText } from "../config/off-book.ts";
import { OFF_FILE } from "../config/places.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { applySteps } from "./apply.ts";

/** What to switch off or on. */
export interface OffRequest {
  /** Real path of the user's home folder. */
  readonly home: string;
  /** Root of a repository; null for everywhere. */
  readonly root: string | null;
  readonly nowMs: number;
}

/** Result of switching: the previous state and the new record. */
export interface Switched {
  /** True if it was off before. */
  readonly wasOff: boolean;
  /** Everything that is off now, including other places. */
  readonly entries: readonly OffEntry[];
}

/** Maximum wait for the lock; a concurrent write takes far less. */
const WAIT_MS = 5_000;

/**
 * Switches off, for a limited time if `forMs` is given. Contract: as `recordOn`; replaces the entry for the same place.
 */
export function recordOff(request: OffRequest, forMs: number | null): Outcome<Switched> {
  const { root, nowMs } = request;
  const until = forMs === null ? null : toIsoSeconds(nowMs + forMs);
  return change(request, (others) => [...others, { root, until, at: toIsoSeconds(nowMs) }]);
}

/**
 * Switches on again. Contract: never throws; writes the whole record or nothing, readable by its owner only; expired
 * entries are removed; a damaged record is set aside.
 */
export function recordOn(request: OffRequest): Outcome<Switched> {
  return change(request, (others) => [...others]);
}

function change(request: OffRequest, toEntries: (others: readonly OffEntry[]) => OffEntry[]): Outcome<Switched> {
  const claim = claimRecord(request.home);
  try {
    const book = readOffBook(request.home);
    const current = book.entries.filter((entry) => isCurrent(entry, request.nowMs));
    const others = current.filter(({ root }) => root !== request.root);
    const entries = toEntries(others);
    const written = write(book, entries, request.home);
    if (!written.ok) return written;
    return succeed({ wasOff: book.damage !== null || others.length < current.length, entries });
  } finally {
    claim?.release();
  }
}

/**
 * Locks the record against concurrent commands. Null if there is no lock: switching without one is better than failing.
 */
function claimRecord(home: string): Claim | null {
  const path = join(home, OFF_FILE);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return claimOwn(`${path}.lock`, WAIT_MS);
  } catch {
    return null;
  }
}

function write({ path, damage, text }: OffBook, entries: readonly OffEntry[], home: string): Outcome<null> {
  if (damage !== null) {
    clearPlace(path);
    const left = readOffBook(home).damage;
    if (left !== null) return fail("E_CONFIG", left, `make ${dirname(path)} a folder of your own, and remove the file`);
  }
  const seen = damage === null ? text : null;
  if (seen === null && entries.length === 0) return succeed(null);
  const bytes = toOffText(entries);
  const hint = 'switch everything off with "groundwork off"';
  if (Buffer.byteLength(bytes) > MAX_OFF_BYTES)
    return fail("E_CONFIG", `${path} would grow beyond ${MAX_OFF_BYTES} bytes`, hint);
  const expect = seen === null ? null : toSha256(seen);
  return applySteps([{ kind: "write", path, bytes, mode: 0o600, folderMode: 0o700, expect }]);
}
