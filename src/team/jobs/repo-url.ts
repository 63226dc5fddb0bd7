import { isLoopbackUrl } from "../../base/send-request.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";

const MAX_CHARS = 1_000;
/** A path segment as repository hosts allow it; not `..`, not an option. */
const SEGMENT = /^[A-Za-z0-9_~][A-Za-z0-9_.~+@-]*$/;
const DOTTED = /^\.[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;
const USER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;
const USUAL_PORTS: Readonly<Record<string, string>> = { https: ":443", http: ":80", ssh: ":22" };
const REVISION = /^[A-Za-z0-9_][A-Za-z0-9._/+-]{0,199}$/;

/**
 * Normalises the address of a repository, so that addresses can be compared literally: `https`, `ssh`, `file` and, on
 * this machine, `http`; no password, no user except for ssh, no percent encoding, no segment that climbs or begins with
 * a dash, no trailing slash. Contract: pure; ambiguous addresses are refused.
 */
export function parseRepoUrl(written: string): Outcome<string> {
  if (written.length > MAX_CHARS) return refused("it is too long");
  const plain = written.startsWith("/") ? `file://${written}` : written;
  const [, scheme = "", authority = "", path = ""] = /^([a-z]+):\/\/([^/]*)(\/.*)?$/.exec(plain) ?? [];
  if (!["https", "ssh", "http", "file"].includes(scheme))
    return refused("it is written as https://HOST/PATH, ssh://USER@HOST/PATH or file:///PATH");
  const segments = path.replace(/^\//, "").replace(/\/$/, "").split("/");
  const parts = segments.length === 1 && segments[0] === "" ? [] : segments;
  if (!parts.every((part) => SEGMENT.test(part) || DOTTED.test(part)))
    return refused("its path may have letters, digits and _.~+@-, and no part that climbs");
  if (scheme === "file") return authority === "" ? succeed(`file:///${parts.join("/")}`) : refused("file has no host");
  const at = authority.lastIndexOf("@");
  const user = at === -1 ? "" : authority.slice(0, at);
  const host = authority.slice(at + 1).toLowerCase();
  if (at !== -1 && (scheme !== "ssh" || !USER.test(user)))
    return refused("it must not contain a name or a password: the worker has its own");
  if (!HOST.test(host)) return refused("its host is malformed");
  const usual = USUAL_PORTS[scheme] ?? "";
  const place = host.endsWith(usual) ? host.slice(0, -usual.length) : host;
  const url = [`${scheme}://${user === "" ? "" : `${user}@`}${place}`, ...parts].join("/");
  if (scheme === "http" && !isLoopbackUrl(url)) return refused("http is for this machine alone; use https");
  return succeed(url);
}

/** Normalises a prefix of addresses, ending in a slash. Contract: as `parseRepoUrl`. */
export function parseRepoPrefix(written: string): Outcome<string> {
  const url = parseRepoUrl(written);
  return url.ok ? succeed(url.value.endsWith("/") ? url.value : `${url.value}/`) : url;
}

/**
 * True if an address begins with one of these prefixes, by whole segments. Contract: all were normalised by the
 * functions above.
 */
export function hasPrefix(url: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => `${url}/`.startsWith(prefix));
}

/**
 * True for a commit id, a branch or tag name, or an empty text: neither an option nor an expression that git would
 * evaluate.
 */
export function isRevision(text: string): boolean {
  return text === "" || (REVISION.test(text) && !/\.\.|\/\/|\/$|\.lock$|\.$|\/\./.test(text));
}

function refused(why: string): Outcome<never> {
  return fail("E_INVALID_ARGS", `this is not the address of a repository: ${why}`);
}
