import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { FileParser } from "../../src/engine/parse/file-parser.ts";
import { projectRoot } from "./doors.ts";

/** The grammars, as the build left them. */
export const grammarFolder = join(projectRoot, "dist", "grammars");

/** A parser with all grammars. */
export const makeTestParser = () => new FileParser({ folder: grammarFolder, clock: systemClock });
