import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** A file of the page. */
export interface StaticFile {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** File served at `/`. */
const FIRST = "index.html";

/**
 * Reads the files of the page, keyed by request path. Contract: read once, so that no other path can reach the file
 * system; throws if the folder does not exist.
 */
export function readStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const name of readdirSync(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const body = readFileSync(join(folder, name));
    const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 24)}"`;
    files.set(name === FIRST ? "/" : `/${name}`, { type, body, etag });
  }
  return files;
}
