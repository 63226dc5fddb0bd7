// For `npm pack` in a clone: builds the programs of the package, so that installing it needs no build.
import { buildAnew, installPackages, prepare } from "./setup.mjs";

await prepare(() => installPackages(".", "packages"), buildAnew);
