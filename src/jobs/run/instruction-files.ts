import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { toCode } from "../../base/text.ts";
import { type Outcome, refuse, succeed, toLines } from "../../contract/faults.ts";
import { type FoundFiles, findByGlob, findMarkdown, isGlob, MAX_ENTRIES, statOf } from "./file-globs.ts";
import { INSTRUCTION_REFUSALS, MAX_INSTRUCTION_CHARS } from "./instruction-texts.ts";

/** Refuses with these lines. Contract: a path in them cannot add lines or move the terminal's cursor. */
export function refuseSafely(lines: readonly string[]): Outcome<never> {
  return refuse(...lines.map((line) => line.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?")));
}

/**
 * Resolves a value of `-f`: a file, a folder's Markdown, a pattern, or with a leading `@` a list of those. Contract:
 * paths as written, never an empty list; a name that exists literally is not a pattern.
 */
export function findFiles(path: string, cwd: string): Outcome<readonly string[]> {
  return path.startsWith("@") ? readList(path, cwd) : findNamed(path, cwd);
}

/** Finds all Markdown below a folder. Contract: never an empty list. */
export function findInFolder(folder: string, cwd: string): Outcome<readonly string[]> {
  if (folder === "" || statOf(resolve(cwd, folder))?.isDirectory() !== true) {
    return refuseSafely(INSTRUCTION_REFUSALS.noFolder(folder, cwd));
  }
  return takeFound(findMarkdown(folder, cwd), folder, () => INSTRUCTION_REFUSALS.noMarkdown(folder));
}

function findNamed(path: string, cwd: string): Outcome<readonly string[]> {
  const stats = path === "" ? null : statOf(resolve(cwd, path));
  if (stats?.isDirectory()) return findInFolder(path, cwd);
  if (stats !== null) return succeed([path]);
  if (!isGlob(path)) {
    // Opening it distinguishes a missing file from an inaccessible one.
    const read = readText(path, cwd);
    return read.ok ? succeed([path]) : read;
  }
  const found = findByGlob(path, cwd);
  return takeFound(found, path, () => INSTRUCTION_REFUSALS.noMatch(path, cwd, found.links));
}

function takeFound(found: FoundFiles, path: string, none: () => readonly string[]): Outcome<readonly string[]> {
  if (found.isTooMuch) return refuseSafely(INSTRUCTION_REFUSALS.tooManyEntries(path, MAX_ENTRIES));
  // Silently omitted files would be missing instructions that go unnoticed until Codex does something else.
  if (found.unreadable !== null) {
    return refuseSafely(INSTRUCTION_REFUSALS.unreadableFolder(found.unreadable.path, found.unreadable.why));
  }
  return found.paths.length === 0 ? refuseSafely(none()) : succeed(found.paths);
}

/** Reads a list; its paths are relative to the working folder, like all others. */
function readList(path: string, cwd: string): Outcome<readonly string[]> {
  const name = path.slice(1);
  if (statOf(resolve(cwd, name)) === null) return refuseSafely(INSTRUCTION_REFUSALS.missing(path, cwd));
  const list = readText(name, cwd);
  if (!list.ok) return list;
  const paths: string[] = [];
  for (const [at, line] of list.value.split("\n").entries()) {
    const entry = line.trim();
    if (entry === "" || entry.startsWith("#")) continue;
    const found = findNamed(entry, cwd);
    if (!found.ok) return refuseSafely([...toLines(found.fault), INSTRUCTION_REFUSALS.inList(name, at + 1)]);
    for (const each of found.value) paths.push(each);
  }
  return paths.length === 0 ? refuseSafely(INSTRUCTION_REFUSALS.emptyList(name)) : succeed(paths);
}

/**
 * Reads a text file. Contract: never throws and never blocks (on a FIFO's other end); UTF-8 without its byte order
 * mark, line endings unchanged; refuses anything that is not text, or that alone is too long for codex.
 */
export function readText(path: string, cwd: string): Outcome<string> {
  if (path === "") return refuseSafely(INSTRUCTION_REFUSALS.missing(path, cwd));
  let descriptor: number;
  try {
    descriptor = openSync(resolve(cwd, path), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    const why = toCode(thrown);
    const isMissing = ["ENOENT", "ENOTDIR", "ERR_INVALID_ARG_VALUE"].includes(why);
    return refuseSafely(
      isMissing ? INSTRUCTION_REFUSALS.missing(path, cwd) : INSTRUCTION_REFUSALS.unreadable(path, why),
    );
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return refuseSafely(INSTRUCTION_REFUSALS.notAFile(path));
    // A character takes at most four bytes.
    const leastChars = Math.ceil(stats.size / 4);
    if (leastChars > MAX_INSTRUCTION_CHARS) return refuseSafely(INSTRUCTION_REFUSALS.tooLong(path, leastChars));
    const text = decode(readFileSync(descriptor));
    return text === null ? refuseSafely(INSTRUCTION_REFUSALS.notText(path)) : succeed(text);
  } catch (thrown) {
    return refuseSafely(INSTRUCTION_REFUSALS.unreadable(path, toCode(thrown)));
  } finally {
    closeSync(descriptor);
  }
}

function decode(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
