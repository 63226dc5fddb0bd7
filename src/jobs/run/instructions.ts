import { join } from "node:path";
import { toIsoSeconds } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { cutText, toOneLine } from "../../base/text.ts";
import type { InstructionSource, StartOptions } from "../../contract/codex-jobs.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import { statOf } from "./file-globs.ts";
import { findFiles, findInFolder, readText, refuseSafely } from "./instruction-files.ts";
import { BUILT_IN_BASE, INSTRUCTION_REFUSALS, MAX_INSTRUCTION_CHARS, SOURCE_LINES } from "./instruction-texts.ts";

/** Instructions for codex. */
export interface Instructions {
  /** The complete document for codex's standard input. */
  readonly text: string;
  /** The parts that it was composed of, one line each; not redacted. */
  readonly sources: readonly string[];
  /** The caller's request, without the base text and, if it contains texts, without the files. */
  readonly task: string;
  /** The task as a single line of at most 80 characters. */
  readonly title: string;
}

/** Dependencies of composing instructions. */
interface InstructionDeps {
  readonly options: Pick<StartOptions, "sources" | "baseFile">;
  readonly cwd: string;
  /** The user's home folder; empty if there is none. */
  readonly home: string;
  readonly env: Environment;
  /** Reads all of standard input; empty for a terminal. Called at most once, and only if needed. */
  readonly readStdin: () => Promise<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type PartType = "base" | Exclude<InstructionSource["kind"], "folder">;

/** A section of the document before it is read: its text, or where to read it. */
interface Part {
  readonly type: PartType;
  /** A file's path, `-`, or another name for the origin of the text; null for texts from the command line. */
  readonly path: string | null;
  /** Null if `path` is still to be read. */
  readonly text: string | null;
  readonly line: string;
  /** False for a base text that the caller did not choose for this run. */
  readonly isAsked: boolean;
}
type ReadPart = Part & { readonly text: string };

/**
 * Composes the instructions: prepended parts, the base text, files and texts in the order given, appended parts.
 * Contract: never throws; refused with the contract's lines if a part is missing or not text, or if the whole is more
 * than codex accepts; deterministic, byte for byte.
 */
export async function composeInstructions(deps: InstructionDeps): Promise<Outcome<Instructions>> {
  const parts = await findParts(deps);
  if (!parts.ok) return parts;
  const read: ReadPart[] = [];
  let chars = 0;
  for (const part of parts.value) {
    const text = part.text === null ? await readPart(part.path ?? "", deps) : succeed(part.text);
    if (!text.ok) return text;
    chars += countChars(text.value);
    // Checked before the next file is read: a pattern may match gigabytes.
    if (chars > MAX_INSTRUCTION_CHARS) return refuseSafely(INSTRUCTION_REFUSALS.tooLong(null, chars));
    read.push({ ...part, text: text.value });
  }
  const task = toTask(read);
  if (task === "") return refuseSafely(INSTRUCTION_REFUSALS.nothing);
  const sections = read.map((part) => toSection(part.type, part.text, part.path === "-" ? "STDIN" : part.path));
  const text = toDocument(toIsoSeconds(deps.now), sections);
  const fits = checkLength(text);
  if (!fits.ok) return fits;
  return succeed({ text, sources: read.map(({ line }) => toOneLine(line)), task, title: toTitle(task) });
}

/**
 * Refuses instructions that codex would not accept. Contract: applies to every document passed to it, however composed.
 */
export function checkLength(text: string): Outcome<null> {
  const chars = countChars(text);
  return chars > MAX_INSTRUCTION_CHARS ? refuseSafely(INSTRUCTION_REFUSALS.tooLong(null, chars)) : succeed(null);
}

async function findParts(deps: InstructionDeps): Promise<Outcome<readonly Part[]>> {
  const { sources, baseFile } = deps.options;
  const files = sources.map((source) => ("path" in source && source.kind !== "folder" ? source.path : null));
  if ([baseFile, ...files].filter((path) => path === "-").length > 1)
    return refuseSafely(INSTRUCTION_REFUSALS.stdinTwice);
  const first: Part[] = [];
  const middle: Part[] = [];
  const last: Part[] = [];
  for (const source of sources) {
    const found = toParts(source, deps.cwd);
    if (!found.ok) return found;
    const place = source.kind.startsWith("prepend-") ? first : source.kind.startsWith("append-") ? last : middle;
    for (const part of found.value) place.push(part);
  }
  const base = await findBase(deps);
  return base.ok ? succeed([...first, base.value, ...middle, ...last]) : base;
}

function toParts(source: InstructionSource, cwd: string): Outcome<readonly Part[]> {
  if ("text" in source) {
    const line = SOURCE_LINES[source.kind](cutText(toOneLine(source.text), 80).text);
    return succeed([{ type: source.kind, path: null, text: source.text, line, isAsked: true }]);
  }
  const type = source.kind === "folder" ? "file" : source.kind;
  const toPart = (path: string): Part => {
    const line = SOURCE_LINES[type](path === "-" ? "STDIN" : path);
    return { type, path, text: null, line, isAsked: true };
  };
  const isSet = source.kind === "folder" || (source.kind === "file" && source.path !== "-");
  if (!isSet) return succeed([toPart(source.path)]);
  const found = source.kind === "folder" ? findInFolder(source.path, cwd) : findFiles(source.path, cwd);
  return found.ok ? succeed(found.value.map(toPart)) : found;
}

async function findBase(deps: InstructionDeps): Promise<Outcome<Part>> {
  const { options, env, home, cwd } = deps;
  const base = (path: string, text: string | null, line: string, { isAsked }: Pick<Part, "isAsked">) =>
    succeed({ type: "base" as const, path, text, line, isAsked });
  if (options.baseFile !== null) {
    const line = SOURCE_LINES.overrideFile(options.baseFile === "-" ? "STDIN" : options.baseFile);
    return base(options.baseFile, null, line, { isAsked: true });
  }
  if (options.sources.length === 0) {
    const variable = env["INSTRUCTIONS"] ?? "";
    if (variable.trim() !== "") return base("INSTRUCTIONS", variable, SOURCE_LINES.variable, { isAsked: true });
    const piped = toInput(await deps.readStdin());
    if (!piped.ok) return piped;
    // A terminal is blank too; that there is no task is reported once everything has been read.
    return base("STDIN", piped.value, SOURCE_LINES.stdin, { isAsked: true });
  }
  const own = join(home, ".codex", "instructions.md");
  // Without a home, the path would be relative: a file of the repository would count as the user's.
  if (home !== "" && statOf(own) !== null) {
    const text = readText(own, cwd);
    if (!text.ok) return text;
    if (text.value.trim() !== "") return base(own, text.value, SOURCE_LINES.defaultFile(own), { isAsked: false });
  }
  return base("builtin", BUILT_IN_BASE, SOURCE_LINES.builtIn, { isAsked: false });
}

async function readPart(path: string, { cwd, readStdin }: InstructionDeps): Promise<Outcome<string>> {
  if (path !== "-") return readText(path, cwd);
  const text = toInput(await readStdin());
  return text.ok && text.value.trim() === "" ? refuseSafely(INSTRUCTION_REFUSALS.stdinEmpty) : text;
}

function toInput(text: string): Outcome<string> {
  if (text.includes("\0")) return refuseSafely(INSTRUCTION_REFUSALS.notText("STDIN"));
  return succeed(text.replace(/^\uFEFF/, ""));
}

/**
 * The parts that best express what the caller wants: texts, else files, else prepended and appended parts, else a base
 * text of the caller's.
 */
function toTask(parts: readonly ReadPart[]): string {
  const kinds: readonly (readonly PartType[])[] = [
    ["text"],
    ["file"],
    ["prepend-text", "prepend-file", "append-text", "append-file"],
    ["base"],
  ];
  for (const types of kinds) {
    const asked = parts.filter((part) => part.isAsked && types.includes(part.type) && part.text.trim() !== "");
    if (asked.length > 0) return asked.map(({ text }) => text.trim()).join("\n\n");
  }
  return "";
}

/** Counts code points, as codex does. */
function countChars(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count++;
  return count;
}

const MAX_TITLE = 80;

/**
 * Returns the first meaningful line, for lists of runs. Contract: one line of at most 80 characters without heading
 * marks; ignores Markdown's surroundings of a text (front matter, comments, fences, rules); empty for an empty task.
 */
export function toTitle(task: string): string {
  const text = task.replace(/^---\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/, "").replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  const lines = (text.trim() === "" ? task : text).split(/\r?\n/);
  const line = lines.find((each) => /[\p{L}\p{N}]/u.test(each) && !/^\s*(?:```|~~~)/.test(each)) ?? task;
  return cutText(toOneLine(line.replace(/^\s*#+\s*/, "").replace(/\s+#+\s*$/, "")), MAX_TITLE).text;
}

const END = "</user-instructions>";

/**
 * Also matches anything that a reader might overlook between `<` and the name; bounded, so that the search stays
 * linear.
 */
const OWN_TAG = /<(?=[\s\\/]{0,16}(?:instructions-section|user-instructions)(?![\w-]))/gi;

/**
 * Formats a section. Contract: the body cannot break out: if it contains one of the document's two tags, opening or
 * closing, the tag's `<` becomes `&lt;`. The rest of the body is unchanged, because code and patches must arrive
 * intact.
 */
export function toSection(type: string, body: string, path: string | null = null): string {
  const where = path === null ? "" : ` path="${toAttribute(path)}"`;
  const inside = body.replace(OWN_TAG, "&lt;");
  const end = inside.endsWith("\n") ? "" : "\n";
  return `<instructions-section type="${toAttribute(type)}"${where}>\n${inside}${end}</instructions-section>\n`;
}

/** Formats the document for codex. `time` is ISO 8601. */
export function toDocument(time: string, sections: readonly string[]): string {
  const inside = sections.map((section) => `${section}\n`).join("");
  return `<user-instructions>\n[${time}] Composed instructions:\n\n${inside}${END}\n`;
}

/** Appends a section to the document. Contract: the body is treated as in `toSection`. */
export function addSection(document: string, type: string, body: string): string {
  const end = document.lastIndexOf(END);
  const at = end < 0 ? document.length : end;
  return `${document.slice(0, at)}${toSection(type, body)}\n${document.slice(at)}`;
}

function toAttribute(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[\u0000-\u001f\u007f]/g, "?").replace(/[&<>"]/g, (sign) => names[sign] ?? sign);
}
