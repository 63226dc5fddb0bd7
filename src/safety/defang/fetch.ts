import { mayBeRemote, startsRemote } from "./address.ts";
import { findRemoteImages } from "./images.ts";
import { findFetchingTags } from "./tags.ts";

/** An address in CSS, and a style sheet that is brought in. */
const CSS_ADDRESS = /(?<![\w-])((?:-webkit-)?image-set|url)\((?=\s*["']?([^\s"')]{1,200}))/gi;
const CSS_IMPORT = /@import(?=\s+(?:url\s*\(\s*)?["']?([^\s"');]{1,200}))/gi;

/**
 * Takes apart markup that makes whoever shows a text fetch something from another host, by one sign that a reader sees:
 * `‹img src=…`, `! [alt](…)`, `url (…)`, `@ import …`. Links, and addresses that are only text, stay as they are.
 * Contract: linear; keeps the number of lines; applying it twice changes nothing.
 */
export function defangFetches(text: string): string {
  if (!mayBeRemote(text) && !text.includes("![")) return text;
  const tags = text.includes("<") && mayBeRemote(text) ? findFetchingTags(text) : new Set<number>();
  const calm = replaceAt(replaceAt(text, tags, "‹"), findRemoteImages(text), "! ");
  return calm
    .replace(CSS_ADDRESS, (all, name: string, address: string) => (startsRemote(address) ? `${name} (` : all))
    .replace(CSS_IMPORT, (all, address: string) => (startsRemote(address) ? "@ import" : all));
}

/** The text with the signs at some places replaced. */
function replaceAt(text: string, places: ReadonlySet<number>, sign: string): string {
  if (places.size === 0) return text;
  let from = 0;
  let result = "";
  for (const at of [...places].sort((a, b) => a - b)) {
    result += text.slice(from, at) + sign;
    from = at + 1;
  }
  return result + text.slice(from);
}
