import { TEAM_JOB_LIMITS } from "../../contract/team-jobs.ts";
import type { Transaction } from "../database.ts";

/** Kinds of output that an attempt sends in pieces. */
export type PieceKind = "log" | "result";

/** Location of pieces. */
export interface PiecePlace {
  readonly job: string;
  readonly attempt: number;
  readonly kind: PieceKind;
}

/** Maximum size of a row in bytes. */
const ROW_BYTES: Readonly<Record<PieceKind, number>> = {
  log: TEAM_JOB_LIMITS.logChunkBytes,
  result: TEAM_JOB_LIMITS.resultChunkBytes,
};
const READ_BYTES = TEAM_JOB_LIMITS.resultChunkBytes;

/**
 * Appends a piece. Small pieces are merged into one row, so that a worker cannot fill the table with rows of one byte.
 * Contract: the caller holds the attempt and has checked the offset of the piece.
 */
export async function addPiece(
  { rows, change }: Transaction,
  { job, attempt, kind }: PiecePlace,
  atByte: number,
  data: Buffer,
): Promise<void> {
  const [last] = await rows(
    `SELECT at_byte, length(data) AS bytes FROM groundwork.job_pieces
     WHERE job = $1 AND attempt = $2 AND kind = $3 ORDER BY at_byte DESC LIMIT 1`,
    ...[job, attempt, kind],
  );
  if (last !== undefined && Number(last["bytes"]) + data.length <= ROW_BYTES[kind]) {
    await change(
      `UPDATE groundwork.job_pieces SET data = data || $5 WHERE job = $1 AND attempt = $2 AND kind = $3 AND at_byte = $4`,
      ...[job, attempt, kind, last["at_byte"], data],
    );
    return;
  }
  await change(
    "INSERT INTO groundwork.job_pieces (job, attempt, kind, at_byte, data) VALUES ($1, $2, $3, $4, $5)",
    ...[job, attempt, kind, atByte, data],
  );
}

/** Bytes from an offset, as many as fit in one answer; empty if there are no more. */
export async function readPieces(
  { rows }: Transaction,
  { job, attempt, kind }: PiecePlace,
  atByte: number,
): Promise<Buffer> {
  const found = await rows(
    `SELECT substring(data FROM greatest($4 - at_byte, 0) + 1) AS data FROM groundwork.job_pieces
     WHERE job = $1 AND attempt = $2 AND kind = $3 AND at_byte + length(data) > $4 AND at_byte < $4 + $5
     ORDER BY at_byte`,
    ...[job, attempt, kind, atByte, READ_BYTES],
  );
  const pieces = found.map(({ data }) => (data instanceof Uint8Array ? data : Buffer.alloc(0)));
  return Buffer.concat(pieces).subarray(0, READ_BYTES);
}

/** SHA-256 of all pieces joined, in hex. */
export async function hashPieces({ rows }: Transaction, { job, attempt, kind }: PiecePlace): Promise<string> {
  const [found] = await rows(
    `SELECT encode(sha256(string_agg(data, ''::bytea ORDER BY at_byte)), 'hex') AS hash FROM groundwork.job_pieces
     WHERE job = $1 AND attempt = $2 AND kind = $3`,
    ...[job, attempt, kind],
  );
  return String(found?.["hash"] ?? "");
}
