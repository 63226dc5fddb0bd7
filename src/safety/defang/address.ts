/** Named entities decoded before an address is checked, because a renderer decodes them too. */
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
/** Schemes that lead to another host even without slashes, and `data:` and `blob:`, which carry their content along. */
const SCHEME = "(?:https?|ftp|wss?|file|data|blob):";
/** A remote address, at the start of a value or after a character that ends what precedes it. */
const REMOTE = new RegExp(`(?:^|[\\s,;:('"=>])(?:${SCHEME}|[\\\\/]{2}(?=[^\\s*/\\\\]))`, "i");
const REMOTE_START = new RegExp(`^\\s*<?\\s*(?:${SCHEME}|[\\\\/]{2}|[a-z][a-z0-9+.-]{1,30}://)`, "i");
/** Every remote address contains one of these, literally or encoded. */
const HINT = /[\\/]{2}|data:|https?:|ftp:|wss?:|file:|blob:|&[#a-z]|\\[0-9a-f/:]/i;

/** True if a text may contain a remote address. Contract: linear; false only if {@link isRemote} is false too. */
export function mayBeRemote(text: string): boolean {
  return HINT.test(text);
}

/** True if the value of an attribute or CSS property leads to another host or embeds its content. Contract: linear. */
export function isRemote(value: string): boolean {
  return mayBeRemote(value) && (REMOTE.test(value) || REMOTE.test(decode(value)));
}

/**
 * True if a value starts with such an address, even if its host is cut off: what follows the text may supply it.
 * Contract: linear.
 */
export function startsRemote(value: string): boolean {
  if (!mayBeRemote(value)) return false;
  return REMOTE_START.test(value) || REMOTE_START.test(decode(value)) || REMOTE_START.test(value.replace(/\\/g, ""));
}

function decode(value: string): string {
  return value
    .replace(/&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|&([a-z]{2,8});/gi, (all, hex?: string, ten?: string, name?: string) =>
      name === undefined
        ? toChar(Number.parseInt(hex ?? ten ?? "", hex === undefined ? 10 : 16))
        : (NAMED[name.toLowerCase()] ?? all),
    )
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => toChar(Number.parseInt(hex, 16)))
    .replace(/[\t\n]/g, "");
}

function toChar(code: number): string {
  return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "";
}
