import { readFrame } from "../../base/question-frame.ts";

/** How a query marks a piece of itself as literal. */
type SaidHow = "whole" | "code" | "asked" | "quoted" | "token" | "plain";

/** A piece of a query that is meant literally: a name, or a text that occurs somewhere. */
export interface Said {
  /** As written: `Type.member`, `--flag`, `could not connect to`. */
  readonly text: string;
  /** The name that a definition may have; null for a text that cannot be a name. */
  readonly name: string | null;
  /** The qualifier of the name: `Type` of `Type.member`. */
  readonly owner: string | null;
  readonly how: SaidHow;
}

/** A bare name, optionally qualified. */
const SYMBOL = /^[A-Za-z_$][\w$]*(?:(?:::|\\|->|\.|#|\/)[A-Za-z_$][\w$]*)*[?!]?$/;
const QUALIFIED = /[A-Za-z_$][\w$]*(?:(?:::|\.)[A-Za-z_$][\w$]*)*/g;
const LOOKS_LIKE_CODE = /[a-z][A-Z]|_|^[A-Z][a-z]+[A-Z]/;
/** Flags, words with digits, numbers, paths, and words joined by more than one hyphen or by dots or colons. */
const TOKEN =
  /(?<![\w-])--?[A-Za-z][\w-]{1,60}|(?<![\w.$])[A-Za-z]+\d\w*|(?<![\w.])\d{3,10}(?![\w]|\.\d)|(?<!\w)\/[\w$@-]+(?:\/[\w$:{}-]+)*|(?<![\w/])[\w$@]+(?:[.:][\w$-]+)+(?![\w/])|(?<![\w-])[a-z]\w*(?:-\w+){2,}/g;
const SEPARATOR = /::|\\|->|\.|#|\//;
const NAME = /^[A-Za-z_$][\w$]*[?!]?$/;
/** Dots and slashes also join words in prose: versions, "and/or", "e.g.". */
const NO_TOKEN =
  /^(?:\d+(?:\.\d+)+|and\/or|[a-z]\.[a-z]\.?|https?:.*|v\d[\d.]*|(?:Node|Next|Vue|React)\.js|[\d:/.-]+)$/i;
const MOST_SAID = 8;

/** Whether a query consists of a name only. */
export function isSymbolQuery(query: string): boolean {
  return SYMBOL.test(query.trim());
}

/**
 * Pieces of a query that are meant literally, most certain first: what is quoted, what a question template asks about,
 * what looks like code. Contract: pure; each text occurs once; whether a piece occurs in a repository is for the index
 * to determine.
 */
export function readSaid(query: string): readonly Said[] {
  const text = query.trim();
  if (isSymbolQuery(text)) return [toSaid(text.replace(/[?!]$/, ""), "whole")];
  const { asked, quoted } = readFrame(text);
  const found = new Map<string, Said>();
  const put = (piece: string, how: SaidHow) => {
    const trimmed = piece.trim().replace(/\(\)$/, "");
    if (trimmed.length > 1 && !found.has(trimmed)) found.set(trimmed, toSaid(trimmed, how));
  };
  for (const piece of quoted) put(piece, "quoted");
  for (const piece of asked) put(piece, "asked");
  for (const piece of text.match(QUALIFIED) ?? []) {
    const { name, owner } = toSaid(piece, "code");
    if (name !== null && (LOOKS_LIKE_CODE.test(name) || owner !== null)) put(piece, "code");
  }
  for (const piece of text.match(TOKEN) ?? []) if (!NO_TOKEN.test(piece)) put(piece, "token");
  return [...found.values()].slice(0, MOST_SAID);
}

function toSaid(text: string, how: SaidHow): Said {
  const [last = "", owner = null] = text.split(SEPARATOR).filter(Boolean).reverse();
  return { text, name: NAME.test(last) ? last : null, owner, how };
}
