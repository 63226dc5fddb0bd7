// Installs the packages and builds the programs, each only if something changed. For install.sh.
import { installAndBuild, prepare } from "./setup.mjs";

await prepare(installAndBuild);
