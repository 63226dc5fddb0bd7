import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { FileParser } from "../../src/engine/parse/file-parser.ts";
import { GRAMMAR_FILES } from "../../src/engine/parse/grammars.ts";
import { projectRoot } from "./doors.ts";
import { makeFolder } from "./temp-folder.ts";

/** A folder with the grammars as the build would leave it, made of links into `node_modules`. */
export function makeGrammarFolder(): string {
  const folder = makeFolder();
  for (const [name, source] of GRAMMAR_FILES) {
    symlinkSync(join(projectRoot, "node_modules", source), join(folder, name));
  }
  return folder;
}

/** A parser with the grammars of `node_modules`. */
export const makeTestParser = () => new FileParser({ folder: makeGrammarFolder(), clock: systemClock });
