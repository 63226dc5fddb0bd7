const CONTEXT_LINES = 2;
/** Maximum number of line pairs to compare; beyond it the whole region counts as changed. */
const MAX_PAIRS = 4_000_000;

/** A line of a diff: in both texts, only in the first, or only in the second. */
interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
  /** Line number in the second text, from 0; for a removed line, that of the next line there. */
  readonly at: number;
}

/**
 * Line diff of two texts: changed places with two lines of context, each preceded by `@@ line N @@`, where N counts in
 * the second text. Contract: minimal number of changes, unless the texts are very long; empty if nothing differs.
 */
export function diffLines(before: readonly string[], after: readonly string[]): string[] {
  const all = compareLines(before, after);
  const isNear = all.map((_, at) =>
    all.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ mark }) => mark !== " "),
  );
  return all.flatMap(({ mark, text, at }, index) => {
    if (isNear[index] !== true) return [];
    const line = `${mark}${text}`;
    return isNear[index - 1] === true ? [line] : [`@@ line ${at + 1} @@`, line];
  });
}

function compareLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const rest = Math.min(before.length, after.length) - head;
  while (tail < rest && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const same = (from: number, to: number): DiffLine[] =>
    after.slice(from, to).map((text, at) => ({ mark: " ", text, at: from + at }));
  return [
    ...same(0, head),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail), head),
    ...same(after.length - tail, after.length),
  ];
}

/** Keeps the longest common subsequence of lines; all others are removed or added. */
function compareMiddle(old: readonly string[], now: readonly string[], head: number): DiffLine[] {
  const width = now.length + 1;
  const isTooMuch = old.length * now.length > MAX_PAIRS;
  // Length of the longest common subsequence from here on, for each pair of positions.
  const common = new Uint32Array(isTooMuch ? 0 : (old.length + 1) * width);
  if (!isTooMuch)
    for (let i = old.length - 1; i >= 0; i--)
      for (let j = now.length - 1; j >= 0; j--)
        common[i * width + j] =
          old[i] === now[j]
            ? (common[(i + 1) * width + j + 1] ?? 0) + 1
            : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [gone, come] = [old[i], now[j]];
    const at = head + j;
    if (!isTooMuch && gone !== undefined && gone === come) {
      lines.push({ mark: " ", text: gone, at });
      i++;
      j++;
    } else if (
      gone !== undefined &&
      (come === undefined || isTooMuch || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      lines.push({ mark: "-", text: gone, at });
      i++;
    } else {
      lines.push({ mark: "+", text: come ?? "", at });
      j++;
    }
  }
  return lines;
}
