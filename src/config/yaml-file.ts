import { toText } from "../base/jail.ts";
import { toMessage } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { MAX_SMALL_BYTES, readSmallFile } from "./small-file.ts";

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
 * Reads a mapping from a YAML file inside `folder`. Contract: null where there is no such file; broken YAML, a file that
 * is no mapping, or one made to exhaust memory is a fault that names file and line.
 */
export async function readYamlFile(folder: string, path: string): Promise<Outcome<YamlFile | null>> {
  const file = readSmallFile(folder, path);
  if (file === null) return succeed(null);
  if (file.cut) return broken(path, `larger than ${MAX_SMALL_BYTES} bytes`);
  const content = await parseYamlMapping(path, toText(file.bytes) ?? "");
  return content.ok ? succeed({ bytes: file.bytes, content: content.value }) : content;
}

async function parseYamlMapping(path: string, text: string): Promise<Outcome<Map<string, YamlValue> | null>> {
  if (text.trim() === "") return succeed(null);
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, { schema: "core", logLevel: "silent", prettyErrors: true });
    const error = document.errors[0];
    if (error !== undefined) {
      const at = error.linePos?.[0];
      return broken(at === undefined ? path : `${path}:${at.line}:${at.col}`, firstLine(error.message));
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

function broken(place: string, why: string): Outcome<never> {
  return fail("E_CONFIG", `${place}: ${why}`, "mend that line, or delete the file to use the defaults");
}

function firstLine(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
}

function isShallow(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (value instanceof Map) return [...value.values()].every((item) => isShallow(item, depth + 1));
  if (Array.isArray(value)) return value.every((item) => isShallow(item, depth + 1));
  return true;
}
