import type { IssueText } from "./issue-text.ts";
import type { SearchIndex } from "./source.ts";
import type { Frame } from "./traces.ts";
import { splitPath } from "./traits.ts";

/** What a file name without its folder says, against one with it. */
const BARE_NAME = 0.7;
/** What a frame says less than the one that it called. */
const FARTHER = 0.7;

/** Files that a text names, found in the repository, each with the number of parts of the path that agree. */
export interface PlacedFiles {
  readonly files: readonly number[];
  readonly depth: number;
}

/** Finds the files whose path ends most like a written one. */
export function placePath(index: SearchIndex, path: string): PlacedFiles {
  const wanted = path.split("/");
  let files: number[] = [];
  let depth = 0;
  for (const file of index.filesNamed(splitPath(path).stem)) {
    const have = index.pathOf(file).split("/");
    let same = 0;
    while (same < wanted.length && same < have.length && wanted.at(-1 - same) === have.at(-1 - same)) same++;
    if (same > depth) files = [];
    if (same >= depth) files.push(file);
    depth = Math.max(depth, same);
  }
  return { files, depth };
}

/** How much the text names each file, by its path. */
export function scoreMentions(index: SearchIndex, mentions: readonly string[]): Float64Array {
  const scores = new Float64Array(index.fileCount);
  for (const { files, depth } of mentions.map((path) => placePath(index, path))) {
    for (const file of files) scores[file] = Math.max(scores[file] ?? 0, (depth > 1 ? 1 : BARE_NAME) / files.length);
  }
  return scores;
}

/** How near each file is to where a stack trace ends, counting only frames inside the repository. */
export function scoreFrames(index: SearchIndex, frames: readonly Frame[]): Float64Array {
  const scores = new Float64Array(index.fileCount);
  let distance = 0;
  for (const { path } of frames) {
    const { files } = placePath(index, path);
    if (files.length === 0) continue;
    for (const file of files) scores[file] = Math.max(scores[file] ?? 0, FARTHER ** distance / files.length);
    distance++;
  }
  return scores;
}

/** Files that define what a qualified name says: `Type.method` where the type has it. */
export function scoreResolved(
  index: SearchIndex,
  { dotted }: IssueText,
  isSource: (file: number) => boolean,
): Float64Array {
  const scores = new Float64Array(index.fileCount);
  for (const parts of dotted) {
    const name = parts.at(-1) ?? "";
    const owner = parts.at(-2) ?? "";
    const ending = `${owner}.${name}`;
    const found = index
      .definitionsNamed(name)
      .filter(
        ({ file, definition: { qualified } }) =>
          isSource(file) && (qualified === ending || qualified.endsWith(`.${ending}`)),
      );
    for (const { file } of found) scores[file] = (scores[file] ?? 0) + 1 / found.length;
  }
  return scores;
}

/** Files that dotted names lead to: the longest beginning of a name that is a path. */
export function scoreDotted(index: SearchIndex, { dotted }: IssueText): Float64Array {
  const scores = new Float64Array(index.fileCount);
  for (const parts of dotted) {
    for (let length = parts.length; length >= 2; length--) {
      const [folder = "", stem = ""] = parts.slice(length - 2, length);
      const files = index.filesNamed(stem).filter((file) => splitPath(index.pathOf(file)).folders.at(-1) === folder);
      for (const file of files) {
        scores[file] = Math.max(scores[file] ?? 0, Math.min(1, length / 4) / files.length);
      }
      if (files.length > 0) break;
    }
  }
  return scores;
}
