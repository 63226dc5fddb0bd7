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

/** What stands for the address without a name. */
const FIRST = "index.html";

/**
 * The files of the page by the paths that they are asked for. Contract: read once; a path that is not among them leads
 * nowhere, whatever it says. Throws where the folder is not there.
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
