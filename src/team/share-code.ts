import { type Outcome, succeed } from "../contract/faults.ts";
import { packNumbers } from "../engine/store/catalogue.ts";
import { FileTable } from "../engine/store/file-table.ts";
import type { IndexStore } from "../engine/store/index-store.ts";
import type { Links } from "../engine/store/links.ts";
import { redact } from "../safety/redact/redact.ts";
import { Batch, type Post } from "./batch.ts";
import { CODE_NAME_BYTES, type CodeText, type GraphMessage, nameOfCode, type SharedGraph } from "./shared-code.ts";

/**
 * Sends what calls what in the files of an index, as far as it is not there, and returns what the state of the repository says of it.
 * Declarations and comments go without secrets.
 */
export async function shareCode(
  index: IndexStore,
  there: SharedGraph,
  post: Post,
): Promise<Outcome<typeof GraphMessage._zod.input>> {
  // By catalogues alone, as the server numbers them.
  const files = new FileTable(index.segments().map(({ catalogue }) => ({ catalogue })));
  const known = listNames(Buffer.from(there.code, "base64"));
  const code = Buffer.alloc(files.fileCount * CODE_NAME_BYTES);
  const batch = new Batch<CodeText>((rows) => post("code", { rows }));
  for (let file = 0; file < files.fileCount; file++) {
    const text = readCode(index, files.pathOf(file));
    if (text === null) continue;
    const name = nameOfCode(text);
    code.set(name, file * CODE_NAME_BYTES);
    const key = name.toString("hex");
    if (known.has(key)) continue;
    known.add(key);
    const sent = await batch.add(text, text[0].length + text[1].length);
    if (!sent.ok) return sent;
  }
  const sent = await batch.flush();
  if (!sent.ok) return sent;
  return succeed({ code: code.toString("base64"), ...numberLinks(index.links(), files) });
}

function listNames(bytes: Buffer): Set<string> {
  const names = new Set<string>();
  for (let at = 0; at < bytes.length; at += CODE_NAME_BYTES) names.add(bytes.toString("hex", at, at + CODE_NAME_BYTES));
  return names;
}

/** What is known of the code of a file; null if nothing is. */
function readCode({ code }: IndexStore, path: string): CodeText | null {
  const symbols = code.packedFacts(path)?.symbols;
  const edges = code.edges(path);
  return symbols === undefined || edges === null ? null : [withoutSecrets(symbols), edges.text.replaceAll("\0", " ")];
}

/** Packed symbols without secrets in their declarations, comments and types. */
function withoutSecrets(packed: string): string {
  const rows = JSON.parse(packed) as unknown[][];
  const texts = rows.flatMap((row) => row.filter((value) => typeof value === "string")).join("\n");
  // Few files have any, and one look at all of their texts is quicker than one at each.
  if (clean(texts) === texts) return packed;
  return JSON.stringify(rows.map((row) => row.map((value) => (typeof value === "string" ? clean(value) : value))));
}

function clean(text: string): string {
  return redact(text).text.replaceAll("\0", " ");
}

/** Which file brings in which, by their numbers. */
function numberLinks({ paths, starts, targets }: Links, files: FileTable) {
  const numbers = Int32Array.from(paths, (path) => files.fileAt(path) ?? -1);
  const placeOf = new Map(Array.from(numbers, (file, at) => [file, at]));
  const firsts = new Int32Array(files.fileCount + 1);
  const found: number[] = [];
  for (let file = 0; file < files.fileCount; file++) {
    const at = placeOf.get(file);
    const own = at === undefined ? [] : targets.subarray(starts[at], starts[at + 1]);
    for (const target of own) if ((numbers[target] ?? -1) >= 0) found.push(numbers[target] ?? 0);
    firsts[file + 1] = found.length;
  }
  const pack = (values: Int32Array) => Buffer.from(packNumbers(values)).toString("base64");
  return { starts: pack(firsts), targets: pack(Int32Array.from(found)) };
}
