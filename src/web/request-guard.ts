import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Why a request is not answered. */
export interface Refusal {
  readonly status: 401 | 403 | 405 | 415;
  readonly message: string;
}

/** What a request is held against. */
export interface Gate {
  readonly port: number;
  readonly token: string;
}

/** The address that everything is served at. */
export function originOf({ port }: Pick<Gate, "port">): string {
  return `http://127.0.0.1:${port}`;
}

/** Name of the cookie with the token. Cookies know no ports, so two servers of one user need two names. */
function cookieName({ port }: Pick<Gate, "port">): string {
  return `groundwork_${port}`;
}

/**
 * The cookie that a right token becomes. It is sent with `/api` alone: cookies reach every server on this machine that
 * the browser talks to.
 */
export function toCookie(gate: Gate): string {
  return `${cookieName(gate)}=${gate.token}; Path=/api; HttpOnly; SameSite=Strict`;
}

/** True for equal texts. Contract: takes as long for a wrong one as for a right one. */
export function isSameSecret(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}

/**
 * Refuses whoever does not come from the page itself. A name that leads to this machine is refused, because any website
 * may have one made (DNS rebinding); so is another origin, be it another port of this machine.
 */
export function checkOrigin({ headers }: IncomingMessage, gate: Gate): Refusal | null {
  if (headers.host !== originOf(gate).slice("http://".length))
    return { status: 403, message: "this address is not served here" };
  const { origin } = headers;
  if (origin !== undefined && origin !== originOf(gate)) return { status: 403, message: "another origin" };
  return null;
}

/** Refuses whoever does not have the token, or has a page of another origin ask. */
export function checkToken({ headers }: IncomingMessage, gate: Gate): Refusal | null {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return { status: 403, message: "another origin" };
  const given = (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim().split("="))
    .filter(([name]) => name === cookieName(gate))
    .map(([, value = ""]) => value);
  const isRight = given.some((value) => isSameSecret(value, gate.token));
  return isRight ? null : { status: 401, message: "open the address that groundwork ui has printed" };
}

/** Refuses a change that is not asked for by the page's own code: forms can neither name this type nor hide their origin. */
export function checkChange({ headers }: IncomingMessage): Refusal | null {
  // Another one was refused before.
  if (headers.origin === undefined) return { status: 403, message: "a change needs its origin" };
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  return type === "application/json" ? null : { status: 415, message: "a change is told in JSON" };
}
