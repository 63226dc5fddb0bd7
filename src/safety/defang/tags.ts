import { isRemote } from "./address.ts";

/**
 * States of the tag parser: in the tag name, before an attribute, in an attribute name, after it, before a value, and
 * in a double-quoted, single-quoted or unquoted value.
 */
const [NAME, BEFORE, ATTRIBUTE, AFTER, VALUE, DOUBLE, SINGLE, BARE] = [0, 1, 2, 3, 4, 5, 6, 7];
const STATES = 8;
const OUTSIDE = -1;
/**
 * State transitions by character, as browsers parse tags. They are applied in order, so a transition that leaves a
 * state comes before one that enters it: no tag moves twice for one character.
 */
const STEPS = {
  blank: [
    [BARE, BEFORE],
    [NAME, BEFORE],
    [ATTRIBUTE, AFTER],
  ],
  slash: [
    [NAME, BEFORE],
    [ATTRIBUTE, BEFORE],
    [AFTER, BEFORE],
    [VALUE, BARE],
  ],
  end: [
    [BARE, OUTSIDE],
    [NAME, OUTSIDE],
    [BEFORE, OUTSIDE],
    [ATTRIBUTE, OUTSIDE],
    [AFTER, OUTSIDE],
    [VALUE, OUTSIDE],
  ],
  equals: [
    [VALUE, BARE],
    [ATTRIBUTE, VALUE],
    [AFTER, VALUE],
    [BEFORE, ATTRIBUTE],
  ],
  double: [
    [BEFORE, ATTRIBUTE],
    [AFTER, ATTRIBUTE],
    [DOUBLE, BEFORE],
    [VALUE, DOUBLE],
  ],
  single: [
    [BEFORE, ATTRIBUTE],
    [AFTER, ATTRIBUTE],
    [SINGLE, BEFORE],
    [VALUE, SINGLE],
  ],
  other: [
    [BEFORE, ATTRIBUTE],
    [AFTER, ATTRIBUTE],
    [VALUE, BARE],
  ],
} as const;
const BY_SIGN: ReadonlyMap<string, keyof typeof STEPS> = new Map([
  ["/", "slash"],
  [">", "end"],
  ["=", "equals"],
  ['"', "double"],
  ["'", "single"],
]);

/** Attributes that hold text or a name, but no address that is fetched when they are shown. */
const WORDS_ONLY =
  /^(?:title|alt|placeholder|value|label|name|id|class|rel|lang|cite|item(?:type|id|prop)|action|formaction|summary|datetime|xmlns|(?:xsi|xmlns):.*|aria-.*|data-.*)$/i;
const LINK = /^(?:xlink:)?href$/i;
/** `<https://…>` and `<me@example.org>` are links. */
const AUTOLINK = /[a-z][a-z0-9+.-]{1,30}:\/\/|[a-z][^\s<>="'/]{0,100}@/iy;
const LINK_TAG = /(?:a(?:rea)?|see(?:also)?|(?:link)?card|button)(?=[\s/>])/iy;
const STYLE = /<style(?=[\s/>])|<\/style/gi;

/**
 * Finds the tags that make a renderer fetch something: those with a remote address in any attribute, except for
 * attributes that hold text and the target of a plain link. Contract: linear, because tags that start inside one
 * another are parsed together; an unclosed tag counts; returns the positions where the tags start.
 */
export function findFetchingTags(text: string): ReadonlySet<number> {
  const found = new Set(findFetchingStyles(text));
  const reader = new TagReader(text, found);
  const openings = /<(?=[a-z]|\?xml-)/gi;
  for (let at = openings.exec(text)?.index ?? text.length; at < text.length; ) {
    openings.lastIndex = at + 1;
    const next = openings.exec(text)?.index ?? text.length;
    if (!startsAt(AUTOLINK, text, at + 1)) reader.open(at, startsAt(LINK_TAG, text, at + 1));
    reader.read(at + 1, next);
    at = next;
  }
  reader.finish();
  return found;
}

/** Parses all open tags at once: tags in the same state behave the same from there on, wherever they started. */
class TagReader {
  /** Start positions of the open tags, by state; links are kept separately. */
  readonly #open: number[][] = Array.from({ length: 2 * STATES }, () => []);
  readonly #valueAt = new Int32Array(STATES);
  #count = 0;

  readonly #text: string;
  readonly #found: Set<number>;

  constructor(text: string, found: Set<number>) {
    this.#text = text;
    this.#found = found;
  }

  open(at: number, isLink: boolean): void {
    // For tags that are already open, the bracket is a character like any other.
    this.#step(at, "other");
    this.#open[2 * NAME + (isLink ? 1 : 0)]?.push(at);
    this.#count++;
  }

  read(from: number, to: number): void {
    for (let at = from; at < to && this.#count > 0; at++) {
      const sign = this.#text.charAt(at);
      this.#step(at, BY_SIGN.get(sign) ?? (/\s/.test(sign) ? "blank" : "other"));
    }
  }

  /** An unclosed value may be closed by whatever follows this text. */
  finish(): void {
    for (const state of [DOUBLE, SINGLE, BARE]) this.#judge(state, this.#text.length);
  }

  #step(at: number, kind: keyof typeof STEPS): void {
    for (const [from, to] of STEPS[kind]) {
      if (this.#sizeOf(from) === 0) continue;
      if (from >= DOUBLE) this.#judge(from, at);
      if (to >= DOUBLE && this.#sizeOf(to) === 0) this.#valueAt[to] = to === BARE ? at : at + 1;
      this.#move(from, to);
    }
  }

  #sizeOf(state: number): number {
    return (this.#open[2 * state]?.length ?? 0) + (this.#open[2 * state + 1]?.length ?? 0);
  }

  #move(from: number, to: number): void {
    for (const kind of [0, 1]) {
      const moved = this.#open[2 * from + kind] ?? [];
      const there = this.#open[2 * to + kind] ?? [];
      this.#open[2 * from + kind] = [];
      if (to === OUTSIDE) {
        this.#count -= moved.length;
        continue;
      }
      // The longer list absorbs the shorter one, so that no tag is moved often.
      const [longer, shorter] = moved.length > there.length ? [moved, there] : [there, moved];
      for (const at of shorter) longer.push(at);
      this.#open[2 * to + kind] = longer;
    }
  }

  #judge(state: number, end: number): void {
    if (this.#sizeOf(state) === 0) return;
    const from = this.#valueAt[state] ?? 0;
    const value = this.#text.slice(from, end);
    if (!isRemote(value)) return;
    const name = nameBefore(this.#text, from);
    // `content` is text except for the address after the seconds of a refresh; `{…}` is a template expression.
    if (WORDS_ONLY.test(name) || value.startsWith("{") || (/^content$/i.test(name) && !/^\s*[\d.]/.test(value))) return;
    for (const kind of LINK.test(name) ? [0] : [0, 1]) {
      for (const at of this.#open[2 * state + kind] ?? []) this.#found.add(at);
    }
  }
}

function startsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Name of the attribute whose value starts at a position. */
function nameBefore(text: string, at: number): string {
  return /([^\s"'<>/=]*)\s*=\s*["']?$/.exec(text.slice(Math.max(0, at - 120), at))?.[1] ?? "";
}

/** Start positions of style elements that contain a remote address. */
function findFetchingStyles(text: string): number[] {
  const marks = [...text.matchAll(STYLE)];
  const found: number[] = [];
  let isFetching = false;
  for (let at = marks.length - 1; at >= 0; at--) {
    const from = marks[at]?.index ?? 0;
    if (text.charAt(from + 1) === "/") isFetching = false;
    else {
      isFetching ||= isRemote(text.slice(from, marks[at + 1]?.index ?? text.length));
      if (isFetching) found.push(from);
    }
  }
  return found;
}
