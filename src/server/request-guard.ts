import type { IncomingHttpHeaders } from "node:http";
import { type Reply, refusal } from "./http.ts";

/** Names by which a server on this machine is reached from this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?$/i;

/** True for a host that only this machine reaches. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * Makes the check of where a request was sent and who had it sent. `url` is the address that clients use, if anybody
 * has said so. A server on loopback answers to no other name, because any website may have one made for it (DNS
 * rebinding); no server answers to a page of another origin.
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
