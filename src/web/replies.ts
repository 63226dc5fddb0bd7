import type { IncomingMessage, ServerResponse } from "node:http";
import { readLimitedBody } from "../base/read-body.ts";
import { parseObject } from "../base/text.ts";

/** Maximum size of a response in bytes; a larger one is not sent. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;
/** Maximum size of the body of a change in bytes. */
const MAX_BODY_BYTES = 16 * 1024;

/**
 * Headers of every response: nothing is loaded from elsewhere, no other page can embed the response, no other origin
 * can read it, no address is sent as referrer, and no text becomes markup.
 */
export const HEADERS = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
} as const;

/** Sends data as JSON. Contract: never cached by the browser; data that is too large becomes an error. */
export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  let body = Buffer.from(JSON.stringify(value), "utf8");
  let told = status;
  if (body.length > MAX_REPLY_BYTES) {
    told = 500;
    body = Buffer.from(JSON.stringify({ error: "the answer is too large" }), "utf8");
  }
  response
    .writeHead(told, {
      ...HEADERS,
      "content-type": "application/json; charset=utf-8",
      "content-length": body.length,
      "cache-control": "no-store",
    })
    .end(body);
}

/** Sends an error message. */
export function replyError(response: ServerResponse, status: number, message: string): void {
  replyJson(response, status, { error: message });
}

/** Reads the body of a change. Contract: null if it is too long, not a JSON object, or the connection has ended. */
export async function readChange(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const body = await readLimitedBody(request, MAX_BODY_BYTES);
  if (!Buffer.isBuffer(body)) return null;
  return body.length === 0 ? {} : parseObject(body.toString("utf8"));
}
