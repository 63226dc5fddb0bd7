import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { codeFolder, readCode, wrapBundle } from "./code-cache.ts";

/**
 * Loads a bundle of `dist/` with its code cache if there is one, which avoids compiling it on every prompt. Contract:
 * the same as `require`; a cache that V8 rejects is never an error.
 */
export function loadCached(name: string): Record<string, unknown> {
  const filename = join(__dirname, name);
  const source = readFileSync(filename);
  const cachedData = readCode(codeFolder(process.env), name, source);
  const script = new Script(wrapBundle(source), { filename, ...(cachedData && { cachedData }) });
  const module = { exports: {} as Record<string, unknown> };
  script.runInThisContext()(module.exports, require, module, filename, dirname(filename));
  return module.exports;
}
