import { toText } from "../base/jail.ts";
import { toMessage } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { USER_FILE } from "./places.ts";
import { readSmallFile, whyUnread } from "./small-file.ts";

/** The parser's time grows with the square of some hostile texts: seconds for 64 KiB, a fraction of one for this. */
const MAX_BYTES = 16 * 1024;
const MAX_ALIASES = 100;
const MAX_DEPTH = 16;

/** Plain data of a settings file. Maps stay `Map`s, so that a key such as `__proto__` is only a key. */
export type YamlValue = string | number | boolean | null | YamlValue[] | Map<string, YamlValue>;

/** A settings file as it was read, once: what it says and what it is trusted by are the same bytes. */
export interface YamlFile {
  readonly bytes: Buffer;
  /** Null where the file says nothing: it is empty or binary. */
  readonly content: Map<string, YamlValue> | null;
}

/**
 * Reads a mapping from a YAML file inside `folder`. Contract: null where there is no such file; the user's own where it cannot
 * be read, broken YAML, a file that is no mapping, or one made to exhaust memory is a fault that names file and line.
 */
export async function readYamlFile(folder: string, path: string): Promise<Outcome<YamlFile | null>> {
  const file = readSmallFile(folder, path);
  if (file === null) return missing(folder, path);
  if (file.sizeBytes > MAX_BYTES) return broken(path, `larger than ${MAX_BYTES} bytes`);
  const content = await parseYamlMapping(path, toText(file.bytes) ?? "");
  return content.ok ? succeed({ bytes: file.bytes, content: content.value }) : content;
}

async function parseYamlMapping(path: string, text: string): Promise<Outcome<Map<string, YamlValue> | null>> {
  if (text.trim() === "") return succeed(null);
  // Resolving them takes the square of their number.
  if (text.split("&").length > MAX_ALIASES) return broken(path, `more than ${MAX_ALIASES} anchors`);
  const { LineCounter, parseDocument } = await import("yaml");
  try {
    // Only the first error is told: having the parser locate all of them would double its time.
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { schema: "core", logLevel: "silent", prettyErrors: false, lineCounter });
    const error = document.errors[0];
    if (error !== undefined) {
      const { line, col } = lineCounter.linePos(error.pos[0]);
      return broken(`${path}:${line}:${col}`, firstLine(error.message));
    }
    const value: unknown = document.toJS({ mapAsMap: true, maxAliasCount: MAX_ALIASES });
    if (value === null) return succeed(null);
    if (!(value instanceof Map)) return broken(`${path}:1`, "not a mapping of keys to values");
    if (!isShallow(value, 0)) return broken(path, `nested deeper than ${MAX_DEPTH} levels`);
    return succeed(value as Map<string, YamlValue>);
  } catch (thrown) {
    // Alias bombs and endless nesting throw inside the parser.
    return broken(path, firstLine(toMessage(thrown)));
  }
}

/**
 * A file of the user's that is there and cannot be read may say to do nothing at all: going on without it would be going too
 * far. What stands in the place of a repository's file is not ours to judge.
 */
function missing(folder: string, path: string): Outcome<null> {
  const why = path === USER_FILE ? whyUnread(folder, path) : null;
  if (why === null) return succeed(null);
  return fail("E_CONFIG", `~/${path}: ${why}`, "make it a file that you can read, or move it away to use the defaults");
}

function broken(place: string, why: string): Outcome<never> {
  return fail("E_CONFIG", `${place}: ${why}`, "mend that line, or delete the file to use the defaults");
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? "";
}

function isShallow(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (value instanceof Map) return [...value.values()].every((item) => isShallow(item, depth + 1));
  if (Array.isArray(value)) return value.every((item) => isShallow(item, depth + 1));
  return true;
}
