// Installs the packages and builds the programs, each only where something changed. For install.sh.
import { resolve } from "node:path";
import { buildPrograms, checkNode, installPackages } from "./setup.mjs";

process.chdir(resolve(import.meta.dirname, ".."));
try {
  checkNode();
  installPackages(".", "packages");
  buildPrograms();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
