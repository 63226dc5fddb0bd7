// For `npm pack` in a clone: the package holds what is built here. Whoever installs it builds nothing.
import { buildAnew, installPackages, prepare } from "./setup.mjs";

await prepare(() => installPackages(".", "packages"), buildAnew);
