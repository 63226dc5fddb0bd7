import type { Readable } from "node:stream";

/**
 * Reads the body of a request. Contract: `too_large` beyond `maxBytes`, without reading on; null if the client
 * disconnected.
 */
export function readLimitedBody(
  request: Readable & { readonly headers: { readonly "content-length"?: string | undefined } },
  maxBytes: number,
): Promise<Buffer | "too_large" | null> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve("too_large");
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        request.pause();
        resolve("too_large");
      }
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", () => resolve(null)).once("close", () => resolve(null));
  });
}
