import { toText } from "../base/jail.ts";
import { toMessage } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { USER_FILE } from "./places.ts";
import { readSmallFile, whyUnread } from "./small-file.ts";

/** The parser takes quadratic time on some hostile texts: seconds for 64 KiB, a fraction of a second for this size. */
const MAX_BYTES = 16 * 1024;
const MAX_ALIASES = 100;
const MAX_DEPTH = 16;

/** Plain data of a settings file. Mappings are kept as `Map`s, so that a key such as `__proto__` is an ordinary key. */
export type YamlValue = string | number | boolean | null | YamlValue[] | Map<string, YamlValue>;

/** A settings file, read once: its content and its trust check are based on the same bytes. */
interface YamlFile {
  readonly bytes: Buffer;
  /** Null if the file is empty or binary. */
  readonly content: Map<string, YamlValue> | null;
}

/**
 * Reads a mapping from a YAML file inside `folder`. Contract: null if there is no such file; an unreadable file of the
 * user, broken YAML, a file that is not a mapping, or one built to exhaust memory is a fault that names the file and,
 * if known, the line.
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
  // Resolving anchors takes quadratic time.
  if (text.split("&").length > MAX_ALIASES) return broken(path, `more than ${MAX_ALIASES} anchors`);
  const { LineCounter, parseDocument } = await import("yaml");
  try {
    // Only the first error is reported: locating all of them would double the parser's time.
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
    // Alias bombs and excessive nesting throw inside the parser.
    return broken(path, firstLine(toMessage(thrown)));
  }
}

/**
 * An unreadable user file must not be skipped: it might switch everything off. Anything unreadable in place of a
 * repository's file is ignored.
 */
function missing(folder: string, path: string): Outcome<null> {
  const why = path === USER_FILE ? whyUnread(folder, path) : null;
  if (why === null) return succeed(null);
  return fail("E_CONFIG", `~/${path}: ${why}`, "make it a file that you can read, or move it away to use the defaults");
}

function broken(place: string, why: string): Outcome<never> {
  return fail("E_CONFIG", `${place}: ${why}`, "fix that line, or delete the file to use the defaults");
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
