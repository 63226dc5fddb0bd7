import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Why a request is rejected. */
interface Refusal {
  readonly status: 401 | 403 | 405 | 415;
  readonly message: string;
}

/** What requests are checked against. */
export interface Gate {
  readonly port: number;
  readonly token: string;
}

/** The origin that everything is served from. */
export function originOf({ port }: Pick<Gate, "port">): string {
  return `http://127.0.0.1:${port}`;
}

/** Name of the cookie with the token. Cookies know no ports, so two servers of one user need two names. */
function cookieName({ port }: Pick<Gate, "port">): string {
  return `groundwork_${port}`;
}

/** The cookie as it is set, and as it is sent. */
function cookiePair(gate: Gate): string {
  return `${cookieName(gate)}=${gate.token}`;
}

/**
 * The cookie that is set for a valid token. It is sent only with requests below `/api`, because cookies reach every
 * server on this machine that the browser talks to.
 */
export function toCookie(gate: Gate): string {
  return `${cookiePair(gate)}; Path=/api; HttpOnly; SameSite=Strict`;
}

/** Headers of a change that the owner of the token requests. */
export function toChangeHeaders(gate: Gate): Record<string, string> {
  return { origin: originOf(gate), cookie: cookiePair(gate), "content-type": "application/json" };
}

/** True for equal texts. Contract: constant time, so that the duration reveals nothing about the secret. */
export function isSameSecret(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}

/**
 * Rejects requests that do not come from the page itself. Other host names for this machine are rejected, because any
 * website may have one registered (DNS rebinding); so are other origins, even another port of this machine.
 */
export function checkOrigin({ headers }: IncomingMessage, gate: Gate): Refusal | null {
  if (headers.host !== originOf(gate).slice("http://".length))
    return { status: 403, message: "this address is not served here" };
  const { origin } = headers;
  if (origin !== undefined && origin !== originOf(gate)) return { status: 403, message: "another origin" };
  return null;
}

/** Rejects requests without the token, and those made by a page of another origin. */
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

/**
 * Rejects changes not requested by the page's own code: forms can neither send this content type nor hide their origin.
 */
export function checkChange({ headers }: IncomingMessage): Refusal | null {
  // Other origins have already been rejected.
  if (headers.origin === undefined) return { status: 403, message: "a change needs its origin" };
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  return type === "application/json" ? null : { status: 415, message: "a change must be sent as JSON" };
}
