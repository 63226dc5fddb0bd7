/** What a renderer does to an address before it looks at it: entities, escapes of CSS and Markdown, breaks inside. */
const NAMED: Readonly<Record<string, string>> = {
  colon: ":",
  sol: "/",
  bsol: "\\",
  lpar: "(",
  quot: '"',
  apos: "'",
  equals: "=",
  comma: ",",
  semi: ";",
  tab: "",
  newline: "",
  amp: "&",
};
/** Schemes that need no slashes to lead to another host, and the one that brings its content along. */
const SCHEME = "(?:https?|ftp|wss?|file|data|blob):";
/** An address elsewhere, at the start of a value or behind a sign that ends what stands before it. */
const REMOTE = new RegExp(`(?:^|[\\s,;:('"=>])(?:${SCHEME}|[\\\\/]{2}(?=[^\\s*/\\\\]))`, "i");
const REMOTE_START = new RegExp(`^\\s*<?\\s*(?:${SCHEME}|[\\\\/]{2}(?=[^\\s*])|[a-z][a-z0-9+.-]{1,30}://)`, "i");
/** Every address elsewhere has one of these, as it is or encoded. */
const HINT = /[\\/]{2}|data:|https?:|ftp:|wss?:|file:|blob:|&[#a-z]|\\[0-9a-f/:]/i;

/** True where a text may hold an address elsewhere. Contract: linear; false only where {@link isRemote} is, too. */
export function mayBeRemote(text: string): boolean {
  return HINT.test(text);
}

/** True where a value of an attribute or of CSS leads to another host, or brings its content along. Contract: linear. */
export function isRemote(value: string): boolean {
  return mayBeRemote(value) && (REMOTE.test(value) || REMOTE.test(decode(value)));
}

/** True where a value begins with such an address. Contract: linear. */
export function startsRemote(value: string): boolean {
  if (!mayBeRemote(value)) return false;
  return REMOTE_START.test(value) || REMOTE_START.test(decode(value)) || REMOTE_START.test(value.replace(/\\/g, ""));
}

function decode(value: string): string {
  return value
    .replace(/&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|&([a-z]{2,8});/gi, (all, hex?: string, ten?: string, name?: string) =>
      name === undefined ? toChar(Number.parseInt(hex ?? ten ?? "", hex === undefined ? 10 : 16)) : named(all, name),
    )
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => toChar(Number.parseInt(hex, 16)))
    .replace(/[\t\n]/g, "");
}

function named(all: string, name: string): string {
  return NAMED[name.toLowerCase()] ?? all;
}

function toChar(code: number): string {
  return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "";
}
