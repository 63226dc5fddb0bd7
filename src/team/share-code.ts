import { type Outcome, succeed } from "../contract/faults.ts";
import { packNumbers } from "../engine/store/catalogue.ts";
import { FileTable } from "../engine/store/file-table.ts";
import type { IndexStore } from "../engine/store/index-store.ts";
import type { Links } from "../engine/store/links.ts";
import { redact } from "../safety/redact/redact.ts";
import { Batch, type Post } from "./batch.ts";
import {
  CODE_NAME_BYTES,
  type CodeText,
  type GraphMessage,
  nameOfCode,
  type SharedGraph,
  splitCodeNames,
} from "./shared-code.ts";

/**
 * Sends the code facts of an index that the server does not have yet, and returns the call graph for the state of the
 * repository. Secrets in declarations and comments are redacted.
 */
export async function shareCode(
  index: IndexStore,
  there: SharedGraph,
  post: Post,
): Promise<Outcome<typeof GraphMessage._zod.input>> {
  // Built from the catalogues alone, as on the server, so that the numbers agree.
  const files = new FileTable(index.segments().map(({ catalogue }) => ({ catalogue })));
  const known = splitCodeNames(Buffer.from(there.code, "base64"));
  const code = Buffer.alloc(files.fileCount * CODE_NAME_BYTES);
  const batch = new Batch<CodeText>((rows) => post("code", { rows }));
  for (let file = 0; file < files.fileCount; file++) {
    const text = readCode(index, files.pathOf(file));
    if (text === null) continue;
    const name = nameOfCode(text);
    code.set(name, file * CODE_NAME_BYTES);
    const key = name.toString("hex");
    if (known.has(key)) continue;
    known.set(key, name);
    const sent = await batch.add(text, text[0].length + text[1].length);
    if (!sent.ok) return sent;
  }
  const sent = await batch.flush();
  if (!sent.ok) return sent;
  return succeed({ code: code.toString("base64"), ...numberLinks(index.links(), files) });
}

/** Code facts of a file; null if there are none. */
function readCode({ code }: IndexStore, path: string): CodeText | null {
  const symbols = code.packedFacts(path)?.symbols;
  const edges = code.edges(path);
  return symbols === undefined || edges === null ? null : [withoutSecrets(symbols), edges.text.replaceAll("\0", " ")];
}

/** Redacts secrets in the declarations, comments and types of packed symbols. */
function withoutSecrets(packed: string): string {
  const rows = JSON.parse(packed) as unknown[][];
  const texts = rows.flatMap((row) => row.filter((value) => typeof value === "string")).join("\n");
  // Few files contain secrets, and one pass over all of their texts is faster than one per text.
  if (clean(texts) === texts) return packed;
  return JSON.stringify(rows.map((row) => row.map((value) => (typeof value === "string" ? clean(value) : value))));
}

function clean(text: string): string {
  return redact(text).text.replaceAll("\0", " ");
}

/** Converts the import links to file numbers. */
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
