import type { IncomingHttpHeaders } from "node:http";
import { type Reply, refusal } from "./http.ts";

/** Host names under which a server is reached from its own machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?$/i;

/** True for a host that is reachable only from this machine. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * Makes a check of a request's `Host` and `Origin`. `url` is the configured address that clients use, if any. A server
 * on loopback answers to no other name, because any website can point a name at it (DNS rebinding); no server answers a
 * page of another origin.
 */
export function makeHostGuard(
  isLoopback: boolean,
  url: URL | null,
): (headers: Pick<IncomingHttpHeaders, "host" | "origin">) => Reply | null {
  const isOurs = (host: string) => {
    if (url !== null && host.toLowerCase() === url.host) return true;
    if (isLoopback) return LOOPBACK.test(host.replace(/:\d{1,5}$/, ""));
    return url === null && HOST.test(host);
  };
  return ({ host = "", origin }) => {
    if (!isOurs(host)) return refusal(421, "this host is not served here; see --url of groundwork serve");
    if (origin === undefined) return null;
    const isSame = URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
    return isSame ? null : refusal(403, "a page of another origin is not answered");
  };
}
