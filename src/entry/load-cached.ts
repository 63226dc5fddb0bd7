import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

/**
 * Loads a bundle of `dist/` with the code cache that the build wrote next to it, which avoids compiling it on every
 * prompt. Contract: the same as `require`; V8 ignores a cache of another Node version, which is never an error.
 */
export function loadCached(name: string): Record<string, unknown> {
  const filename = join(__dirname, name);
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, "utf8")}\n})`;
  const script = new Script(source, { filename, ...readCache(filename) });
  const module = { exports: {} as Record<string, unknown> };
  script.runInThisContext()(module.exports, require, module, filename, dirname(filename));
  return module.exports;
}

function readCache(filename: string): { cachedData?: Buffer } {
  try {
    return { cachedData: readFileSync(`${filename}.cache`) };
  } catch {
    return {};
  }
}
