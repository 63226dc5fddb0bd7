import { isListed } from "./below.ts";
import { isElement, isSecretValue, type ValueContext } from "./placed.ts";
import { DECLARED, LINK, MARK, PASSWORD_END, SECRET_NAME, WRAPPED } from "./rules.ts";

const MAX_VALUE = 500;
const MAX_NESTED = 4;

/** Hides values that are announced by a name. Contract: linear: names, separators and values are bounded in length. */
export function hideNamed(text: string, hit: (kind: string) => void): string {
  const names = SECRET_NAME();
  const link = LINK();
  let out = "";
  let copied = 0;
  // Names inside the values of other names would make the work quadratic in the length of a line: only a few are tried.
  let refusedEnd = 0;
  let nested = 0;
  for (let name = names.exec(text); name !== null; name = names.exec(text)) {
    const word = name[1] ?? name[2] ?? "";
    const tail = name[3] ?? "";
    const nameEnd = name.index + name[0].length;
    if (!standsAlone(text.charAt(name.index - 1), word, tail)) {
      // The word may start inside what looked like another one: `otP` in `rootPassword`.
      names.lastIndex = name.index + 1;
      continue;
    }
    nested = name.index < refusedEnd ? nested + 1 : 0;
    if (nested > MAX_NESTED) continue;
    const linked = readLink(text, nameEnd, link);
    if (linked === null) continue;
    let valueAt = nameEnd + linked.text.length;
    let quote = linked.quote;
    const whole = toWholeName(text, name.index, nameEnd);
    const before = text.slice(Math.max(0, nameEnd - whole.length - 60), nameEnd - whole.length);
    if (isFrame(before, tail)) continue;
    // A listing line below the name starts with its own prefix; `below.ts` handles such lines.
    if (quote === "" && linked.text.includes("\n") && isListed(text.slice(valueAt, valueAt + 140))) continue;
    const exact = PASSWORD_END().test(whole);
    const place: ValueContext = {
      word,
      password: name[1] !== undefined || exact,
      exact,
      quoted: quote !== "",
      link: linked.text,
      before,
    };
    for (let more = true; more; ) {
      const read = isElement(place) ? readElement(text, valueAt) : readValue(text, valueAt, quote);
      const value = place.password || quote !== "" ? read : (/^[^,;&|]*/.exec(read)?.[0] ?? "");
      if (
        isNone(value, whole, linked.text) ||
        !isSecretValue(value, whole, {
          ...place,
          endsLine: /^[ \t]*(?:\n|$)/.test(text.slice(valueAt + value.length, valueAt + value.length + 40)),
        })
      ) {
        refusedEnd = Math.max(refusedEnd, valueAt + value.length);
        break;
      }
      out += `${text.slice(copied, valueAt)}${MARK}`;
      copied = valueAt + value.length;
      names.lastIndex = copied;
      hit("assignment");
      ALTERNATIVE.lastIndex = copied;
      const next = ALTERNATIVE.exec(text);
      more = next !== null;
      valueAt = copied + (next?.[0].length ?? 0);
      quote = next?.[1] ?? "";
    }
  }
  return out + text.slice(copied);
}

/** The separator between a name and its value, including a declared type and calls that only wrap a literal. */
function readLink(text: string, from: number, link: RegExp): { text: string; quote: string } | null {
  link.lastIndex = from;
  const tie = link.exec(text);
  if (tie === null) return null;
  const plain = { text: tie[0], quote: tie[1] ?? "" };
  // A line break alone is not a separator.
  if (plain.text.includes("\n") && !/[:=：＝>,|是为為]/.test(plain.text)) return null;
  const next = text.charCodeAt(from + plain.text.length);
  // Most values are not calls: the larger patterns are only tried on values that start like one.
  if (plain.quote !== "" || !(next >= 97 || (next >= 65 && next <= 93) || next === 38 || next === 95)) return plain;
  const pattern = /^[ \t]{1,8}(?:as[ \t]{1,4})?$/.test(plain.text) ? DECLARED() : WRAPPED();
  pattern.lastIndex = from + plain.text.length;
  const more = pattern.exec(text);
  return more === null ? plain : { text: plain.text + more[0], quote: more[1] ?? "" };
}

/** A call that reads what is stored under a name: `get_password("acme-cli")`, `loadSecret('db')`. */
const READS =
  /(?:^|[._\s=])(?:get|fetch|read|load|find|lookup|look_up|has|delete|remove)_?[A-Za-z_]{0,24}\(["'`\s]{0,4}$/;

/** True for text that is not a value: a name in a reading call, a format directive, a Markdown link. */
function isNone(value: string, whole: string, link: string): boolean {
  if (READS.test(whole + link) && /^[A-Za-z][A-Za-z./:_-]*$/.test(value)) return true;
  return /^%[-+0-9.]{0,8}[a-zA-Z@](?:\\n|\W|$)/.test(value) || /^[0-9a-f]{7,12}\]\(https?:/.test(value);
}

/** Words that only look like a name: in an ARN, in the frame of a key, in a closing tag, in "public key: …". */
function isFrame(before: string, tail: string): boolean {
  return tail.endsWith("----") || before.endsWith("</") || /\barn:[\w:./*-]{0,60}$|\bpublic\s$/i.test(before);
}

/** An alternative after the first value: `'a' | 'b'`. */
const ALTERNATIVE = /["'`]?\s{0,4}(?:\|{1,2}|\?\?|\bor\b)\s{0,4}(["'`])/y;

/** True unless the word is part of a longer one: `author`, `Keyframe`, `mapping`. */
function standsAlone(before: string, word: string, tail: string): boolean {
  if (
    /^[a-z]/.test(tail) &&
    /[a-z]$/.test(word) &&
    !/^(?:s|key|token|secret|pass|id|value|data|string|str|text)(?![a-z])/.test(tail)
  ) {
    return (
      word.length > 5 &&
      !/^[a-z]{1,3}(?:ed|ing|er|izer|ize|lint)/.test(tail) &&
      !/^(?:ary|ory|ization|ize|lint)/.test(tail)
    );
  }
  if (/^[A-Z]/.test(tail) && /^[A-Z]+$/.test(word) && word.length <= 4) return false;
  // A word that starts in lower case and ends with a capital spans a word boundary in a camel-case name.
  if (/^[a-z]+[A-Z]$/.test(word) && /^[a-z]/.test(tail)) return false;
  if (word.length > 4) return true;
  return (
    !(/[a-z]/.test(before) && /^[a-z]/.test(word)) &&
    !(/[A-Z]/.test(before) && /^[A-Z]+$/.test(word) && word.length < 4)
  );
}

/** The whole identifier that ends with the word, up to 40 characters back. */
function toWholeName(text: string, from: number, to: number): string {
  const before = text.slice(Math.max(0, from - 40), from);
  let at = before.length;
  while (at > 0 && isNameUnit(before.charCodeAt(at - 1))) at--;
  return before.slice(at) + text.slice(from, to);
}

/** Letters, digits, `_`, `-` and `.`, by character code: a regular expression per character would dominate the cost. */
function isNameUnit(unit: number): boolean {
  if (unit >= 97) return unit <= 122;
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || unit === 45 || unit === 46;
}

/** The value that starts at a position: up to its closing quote, or up to the end of a bare word. */
function readValue(text: string, at: number, quote: string): string {
  const rest = text.slice(at, at + MAX_VALUE);
  if (quote !== "") {
    const close = quote === "“" ? "”" : quote;
    const end = rest.indexOf(close);
    const line = rest.indexOf("\n");
    if (end >= 0 && (line < 0 || end < line)) return rest.slice(0, end);
    return line < 0 ? rest : rest.slice(0, line);
  }
  const bare = /^(?:->|[^\s"'`<>，。；、！？）】」]){1,600}/.exec(rest)?.[0] ?? "";
  return bare.replace(/[,;)}\]\\.:]{1,4}$/, "");
}

/** The text of a markup element. */
function readElement(text: string, at: number): string {
  return /^[^<\n]{0,200}(?=<\/)/.exec(text.slice(at, at + 202))?.[0].trimEnd() ?? "";
}
