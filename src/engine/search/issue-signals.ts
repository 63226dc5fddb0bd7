import type { IssueText } from "./issue-text.ts";
import type { SearchIndex } from "./source.ts";
import type { StackFrame } from "./traces.ts";
import { sharedTail, splitPath } from "./traits.ts";

/** Weight of a file name without its folder, relative to one with it. */
const BARE_NAME = 0.7;
/** Factor by which a frame counts less than the one it called. */
const FARTHER = 0.7;

/** Files of the repository that match a path in the text, and the number of trailing path components that agree. */
interface PlacedFiles {
  readonly files: readonly number[];
  readonly depth: number;
}

/** Finds the files whose path has the longest common suffix with a written path. */
export function placePath(index: SearchIndex, path: string): PlacedFiles {
  const wanted = path.split("/");
  let files: number[] = [];
  let depth = 0;
  for (const file of index.filesNamed(splitPath(path).stem)) {
    const same = sharedTail(wanted, index.pathOf(file).split("/"));
    if (same > depth) files = [];
    if (same >= depth) files.push(file);
    depth = Math.max(depth, same);
  }
  return { files, depth };
}

/** How explicitly the text names each file by its path. */
export function scoreMentions(index: SearchIndex, mentions: readonly string[]): Float64Array {
  const scores = new Float64Array(index.fileCount);
  for (const { files, depth } of mentions.map((path) => placePath(index, path))) {
    for (const file of files) scores[file] = Math.max(scores[file] ?? 0, (depth > 1 ? 1 : BARE_NAME) / files.length);
  }
  return scores;
}

/** How close each file is to the failing frame of a stack trace, counting only frames inside the repository. */
export function scoreFrames(index: SearchIndex, frames: readonly StackFrame[]): Float64Array {
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

/** Files that define a qualified name: `Type.method` if the type has that method. */
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

/** Files that dotted names refer to: the longest prefix of a name that matches a path. */
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
