import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { FileParser } from "../../src/engine/parse/file-parser.ts";
import { projectRoot } from "./doors.ts";

/** Folder of the built grammars. */
export const grammarFolder = join(projectRoot, "dist", "grammars");

/** Makes a parser with all grammars. */
export const makeTestParser = () => new FileParser({ folder: grammarFolder, clock: systemClock });
