import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { type Claim, claimOwn } from "../base/file-lock.ts";
import { clearPlace } from "../base/state-files.ts";
import { type Join, type JoinBook, readJoinBook, toJoinText } from "../config/join-book.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { applySteps } from "./apply.ts";

/** Maximum wait for the lock; a concurrent write takes far less. */
const WAIT_MS = 5_000;

/**
 * Changes the user's record of joins. Contract: never throws; writes the whole record or nothing, for its owner only;
 * concurrent changes do not undo each other. A damaged record is a fault, unless `setsAside` allows a new one.
 */
export function changeJoins(
  home: string,
  change: (joins: readonly Join[]) => readonly Join[],
  setsAside = false,
): Outcome<readonly Join[]> {
  let claim: Claim | null = null;
  try {
    let book = readJoinBook(home);
    mkdirSync(dirname(book.path), { recursive: true, mode: 0o700 });
    claim = claimOwn(`${book.path}.lock`, WAIT_MS);
    book = readJoinBook(home);
    if (book.damage !== null && setsAside) {
      clearPlace(book.path);
      book = readJoinBook(home);
    }
    return write(book, change(book.joins));
  } catch (thrown) {
    return fail("E_CONFIG", `the record of joined bases cannot be written: ${String(thrown)}`);
  } finally {
    claim?.release();
  }
}

function write({ path, damage, joins, sha256 }: JoinBook, next: readonly Join[]): Outcome<readonly Join[]> {
  if (damage !== null) return fail("E_CONFIG", damage, "groundwork base join --yes sets it aside and starts a new one");
  const text = toJoinText(next);
  if (text === toJoinText(joins)) return succeed(next);
  const written = applySteps([{ kind: "write", path, bytes: text, mode: 0o600, folderMode: 0o700, expect: sha256 }]);
  return written.ok ? succeed(next) : written;
}
