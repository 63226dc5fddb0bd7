import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { toMessage } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import { splitBom } from "./entry-editor.ts";

/** A settings file, parsed but not interpreted. */
export interface SettingsText {
  /** The byte order mark, or empty. */
  readonly bom: string;
  /** The text without it. */
  readonly body: string;
  /** Null for a blank file. */
  readonly root: Node | null;
}

/**
 * Parses a settings file in JSON with comments. Contract: anything that an edit of the `events` below `hooks` could
 * damage, or that the client would read differently, is a fault that names the file and line.
 */
export function parseSettings(path: string, bytes: Buffer, events: readonly string[]): Outcome<SettingsText> {
  const content = bytes.toString("utf8");
  if (!Buffer.from(content, "utf8").equals(bytes)) return refuse(path, 1, "not UTF-8 text");
  const { bom, body } = splitBom(content);
  if (body.trim() === "") return succeed({ bom, body, root: null });
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(body, errors, { allowTrailingComma: true });
  } catch (thrown) {
    // Excessive nesting exhausts the parser's stack.
    return refuse(path, 1, toMessage(thrown));
  }
  const error = errors[0];
  if (error !== undefined) return refuse(path, toLine(body, error.offset), `not valid JSON (${toWords(error)})`);
  if (root?.type !== "object") return refuse(path, 1, `holds ${toArticle(root?.type)}, not an object`);
  const hooks = findNodeAtLocation(root, ["hooks"]);
  // With duplicate keys, a client reads the last one, but an edit finds the first.
  const twice = [findSecond(root, "hooks"), ...events.map((event) => findSecond(hooks, event))].find(
    (node) => node !== null,
  );
  if (twice) return refuse(path, toLine(body, twice.offset), `the key ${twice.value} is there twice`);
  return succeed({ bom, body, root });
}

/** Checks that a hook can be added. Contract: null, or a fault that names the file, line and key. */
export function checkShape(path: string, { body, root }: SettingsText, events: readonly string[]): Outcome<null> {
  if (root === null) return succeed(null);
  const wanted = [
    { at: ["hooks"], type: "object", name: "hooks" },
    ...events.map((event) => ({ at: ["hooks", event], type: "array", name: `hooks.${event}` })),
  ];
  for (const { at, type, name } of wanted) {
    const node = findNodeAtLocation(root, at);
    if (node === undefined || node.type === type) continue;
    return refuse(path, toLine(body, node.offset), `${name} is ${toArticle(node.type)}, not ${toArticle(type)}`);
  }
  return succeed(null);
}

function refuse(path: string, line: number, why: string) {
  return fail("E_CONFIG", `${path}:${line}: ${why}; nothing was changed; fix that line, then run this again`);
}

function findSecond(object: Node | undefined, key: string): Node | null {
  const properties = object?.type === "object" ? (object.children ?? []) : [];
  const keys = properties.flatMap((property) => property.children?.[0] ?? []);
  return keys.filter((node) => node.value === key)[1] ?? null;
}

function toLine(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** `CommaExpected` → `comma expected`. */
function toWords(error: ParseError): string {
  return printParseErrorCode(error.error)
    .replace(/(?!^)([A-Z])/g, " $1")
    .toLowerCase();
}

function toArticle(type: string | undefined): string {
  if (type === undefined || type === "null") return "null";
  return `${/^[ao]/.test(type) ? "an" : "a"} ${type}`;
}
