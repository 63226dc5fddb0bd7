import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { constants, type FileHandle, link, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sayError, toCode } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { ObjectStore } from "./object-store.ts";

/** A store in a folder, which may be a network share. Contract: as `ObjectStore`. */
export function makeFolderStore(folder: string): ObjectStore {
  const failed = (what: string, thrown: unknown): Outcome<never> =>
    fail("E_TOOL_UNAVAILABLE", `${folder} cannot be ${what} (${sayError(thrown)})`);
  const change = async (work: () => Promise<unknown>): Promise<Outcome<void>> => {
    try {
      await work();
      return succeed(undefined);
    } catch (thrown) {
      return failed("written", thrown);
    }
  };
  /** Writes to a unique temporary file first, so that a partial file is never visible. */
  const write = async (name: string, bytes: Uint8Array, place: (from: string, to: string) => Promise<void>) => {
    const to = join(folder, name);
    const from = `${to}.${randomBytes(6).toString("hex")}.tmp`;
    await mkdir(dirname(to), { recursive: true });
    try {
      await writeFile(from, bytes, { flag: "wx", mode: 0o644, flush: true });
      await place(from, to);
    } finally {
      await rm(from, { force: true });
    }
  };
  return {
    place: folder,
    open: () => change(() => mkdir(folder, { recursive: true })),
    get: async (name, maxBytes) => {
      let file: FileHandle | undefined;
      try {
        // Non-blocking: opening a pipe would otherwise wait forever.
        file = await open(join(folder, name), constants.O_RDONLY | constants.O_NONBLOCK);
        const stats = await file.stat();
        if (!stats.isFile() || stats.size > maxBytes)
          return fail("E_TOOL_UNAVAILABLE", `${name} in ${folder} is too long, or no file`);
        return succeed(await file.readFile());
      } catch (thrown) {
        if (toCode(thrown) !== "ENOENT") return failed("read", thrown);
        return existsSync(folder) ? succeed(null) : failed("read", thrown);
      } finally {
        await file?.close();
      }
    },
    put: (name, bytes) => change(() => write(name, bytes, rename)),
    putNew: async (name, bytes) => {
      try {
        await write(name, bytes, link);
        return succeed(true);
      } catch (thrown) {
        return toCode(thrown) === "EEXIST" ? succeed(false) : failed("written", thrown);
      }
    },
    remove: (name) => change(() => rm(join(folder, name), { force: true })),
  };
}
