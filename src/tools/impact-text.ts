import { countOf } from "../contract/count-of.ts";
import type { ToldSymbol } from "./call-graph.ts";

/** An impact as it is reported. */
export interface ToldImpact {
  /** What is changed, in words. */
  readonly target: string;
  readonly changed: readonly ToldSymbol[];
  readonly affected: readonly (ToldSymbol & {
    readonly depth: number;
    readonly confidence: number;
    readonly reason: string;
    /** Id of the symbol through which it is affected. */
    readonly via: string;
  })[];
  readonly tests: readonly { readonly file: string; readonly confidence: number; readonly reason: string }[];
}

/** An impact as Markdown. */
export function listImpact({ target, affected, tests }: ToldImpact): string {
  const place = ({ file_path, line, symbol }: ToldSymbol) =>
    `${toCode(`${file_path}:${line}`)}${symbol === "" ? "" : ` ${toCode(symbol)}`}`;
  return [
    `# Impact of ${toCode(target)}`,
    "",
    affected.length === 0
      ? "Nothing that is known depends on it."
      : `${countOf(affected.length, "place")}, the surest first:`,
    "",
    ...affected.map((own) => `- ${own.confidence.toFixed(2)} ${place(own)}: ${own.reason}`),
    "",
    "## Tests to run",
    "",
    ...(tests.length === 0 ? ["None that is known reaches it."] : []),
    ...tests.map(({ file, confidence, reason }) => `- ${confidence.toFixed(2)} ${toCode(file)}: ${reason}`),
  ].join("\n");
}

function toCode(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** A diagram with more boxes cannot be read. */
const MAX_BOXES = 60;

/** An impact as a Mermaid flow chart: arrows point from what is changed to what it affects. */
export function drawImpact({ changed, affected }: ToldImpact): string {
  const boxes = new Map<string, string>();
  const lines: string[] = [];
  const boxOf = (id: string, own?: ToldSymbol) => {
    const known = boxes.get(id);
    if (known !== undefined) return known;
    const name = `n${boxes.size}`;
    boxes.set(id, name);
    const [path = "", symbol = ""] = own === undefined ? id.split("#") : [`${own.file_path}:${own.line}`, own.symbol];
    lines.push(`  ${name}["${[symbol, path].filter(Boolean).map(toLabel).join("<br/>")}"]`);
    return name;
  };
  const byId = new Map(changed.map((own) => [own.symbol_id, own]));
  for (const own of affected) {
    if (boxes.size >= MAX_BOXES) break;
    const from = boxOf(own.via, byId.get(own.via));
    lines.push(`  ${from} -->|${own.confidence.toFixed(2)}| ${boxOf(own.symbol_id, own)}`);
  }
  if (affected.length === 0) for (const own of changed.slice(0, MAX_BOXES)) boxOf(own.symbol_id, own);
  return ["flowchart LR", ...lines].join("\n");
}

/** Escapes characters with a special meaning in a label as numeric entities. */
function toLabel(text: string): string {
  return text.replace(/["#<>&[\]{}|`]/g, (sign) => `#${sign.charCodeAt(0)};`);
}
