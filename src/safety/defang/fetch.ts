import { mayBeRemote, startsRemote } from "./address.ts";
import { findRemoteImages } from "./images.ts";
import { findFetchingTags } from "./tags.ts";

/** An address in CSS, and an imported style sheet. */
const CSS_ADDRESS = /(?<![\w-])((?:-webkit-)?image-set|url)\((?=\s*["']?([^\s"')]{1,200}))/gi;
const CSS_IMPORT = /@import(?=\s+(?:url\s*\(\s*)?["']?([^\s"');]{1,200}))/gi;
/** Two slashes in front of a comment. */
const COMMENT = /^[\\/]{2}(?:\*|$)/;

/**
 * Breaks up markup that makes a renderer fetch something from another host, with one visible change:
 * `‹img src=…`, `! [alt](…)`, `url (…)`, `@ import …`. Links, and addresses that are only text, are kept.
 * Contract: linear; keeps the number of lines; idempotent.
 */
export function defangFetches(text: string): string {
  if (!mayBeRemote(text) && !text.includes("![")) return text;
  const tags = text.includes("<") && mayBeRemote(text) ? findFetchingTags(text) : new Set<number>();
  const calm = replaceAt(replaceAt(text, tags, "‹"), findRemoteImages(text), "! ");
  return calm
    .replace(CSS_ADDRESS, (all, name: string, address: string) => (leadsAway(address) ? `${name} (` : all))
    .replace(CSS_IMPORT, (all, address: string) => (leadsAway(address) ? "@ import" : all));
}

/** True for an address in CSS that leads to another host, and not for a comment in its place. */
function leadsAway(address: string): boolean {
  return startsRemote(address) && !COMMENT.test(address);
}

/** Replaces the characters at the given positions. */
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
