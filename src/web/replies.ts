import type { IncomingMessage, ServerResponse } from "node:http";
import { parseObject } from "../base/text.ts";

/** Most bytes of one answer; what is more is not sent. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;
/** Most bytes of what a change says. */
const MAX_BODY_BYTES = 16 * 1024;

/**
 * Headers of every answer: nothing from elsewhere is loaded, nothing of it is shown inside of another page, told to another
 * address or read by another origin, and no text becomes markup.
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

/** Answers with data. Contract: never kept by the browser; too much of it is an error. */
export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  let body = Buffer.from(JSON.stringify(value), "utf8");
  let told = status;
  if (body.length > MAX_REPLY_BYTES) {
    told = 500;
    body = Buffer.from(JSON.stringify({ error: "too much to be shown" }), "utf8");
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

/** Says why there is no answer. */
export function replyError(response: ServerResponse, status: number, message: string): void {
  replyJson(response, status, { error: message });
}

/** Reads what a change says. Contract: null where it is too long, no object, or the connection has ended. */
export function readBody(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else {
        // Read no further; the answer closes the connection.
        request.pause();
        resolve(null);
      }
    });
    request.once("end", () => resolve(parse(Buffer.concat(chunks).toString("utf8"))));
    request.once("error", () => resolve(null)).once("close", () => resolve(null));
  });
}

function parse(text: string): Record<string, unknown> | null {
  return text === "" ? {} : parseObject(text);
}
