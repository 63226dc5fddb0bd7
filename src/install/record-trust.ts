import { toIsoSeconds } from "../base/clock.ts";
import { damageFor } from "../config/trust.ts";
import {
  MAX_BOOK_BYTES,
  type PinnedFile,
  readTrustBook,
  type TrustBook,
  type TrustedRepository,
  toBookText,
} from "../config/trust-book.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { applySteps, type FileStep } from "./apply.ts";
import { toFreePath } from "./file-state.ts";

/** What to trust, and the time. */
interface TrustRequest {
  /** Real path of the user's home folder. */
  readonly home: string;
  readonly root: string;
  readonly files: readonly PinnedFile[];
  readonly nowMs: number;
  /** Move a damaged record aside and start a new one; otherwise a damaged record is a fault. */
  readonly replaceDamaged: boolean;
}

interface TrustReceipt {
  readonly repository: TrustedRepository;
  /** Path that a damaged record was moved to; null if there was none. */
  readonly movedTo: string | null;
}

/**
 * Adds a repository to the user's trust record, replacing its previous entry. Contract: never throws; writes the whole
 * record or nothing; a damaged record is kept under another name.
 */
export function recordTrust(request: TrustRequest): Outcome<TrustReceipt> {
  const { home, root, files, nowMs, replaceDamaged } = request;
  const book = readTrustBook(home);
  const damage = damageFor(book, root);
  if (damage !== null && !(damage.isMovable && replaceDamaged))
    return fail("E_CONFIG", `nothing was trusted: ${damage.why}`, damage.hint);
  const repository = { root, files, at: toIsoSeconds(nowMs) };
  const movedTo = damage === null ? null : toFreePath(nowMs, (time) => `${book.path}.damaged-${time}`);
  const steps: FileStep[] = movedTo === null ? [] : [{ kind: "move", from: book.path, path: movedTo }];
  const expect = movedTo === null ? book.sha256 : null;
  const written = writeBook(book, [...withoutRoot(book, root), repository], expect, steps);
  return written.ok ? succeed({ repository, movedTo }) : written;
}

/**
 * Removes a repository from the user's trust record. Contract: as `recordTrust`; returns false if it was not recorded.
 */
export function removeTrust(home: string, root: string): Outcome<boolean> {
  const book = readTrustBook(home);
  if (book.damage !== null && book.exists)
    return fail("E_CONFIG", `nothing is trusted: ${book.damage.why}`, book.damage.hint);
  const left = withoutRoot(book, root);
  if (left.length === book.repositories.length) return succeed(false);
  const written = writeBook(book, left, book.sha256, []);
  return written.ok ? succeed(true) : written;
}

function withoutRoot(book: TrustBook, root: string): TrustedRepository[] {
  return book.repositories.filter((repository) => repository.root !== root);
}

function writeBook(
  { path }: TrustBook,
  repositories: readonly TrustedRepository[],
  expect: string | null,
  before: readonly FileStep[],
): Outcome<null> {
  const bytes = toBookText(repositories);
  if (Buffer.byteLength(bytes) > MAX_BOOK_BYTES)
    return fail("E_CONFIG", `${path} would grow beyond ${MAX_BOOK_BYTES} bytes`, "untrust what you no longer need");
  return applySteps([...before, { kind: "write", path, bytes, mode: 0o600, folderMode: 0o700, expect }]);
}
