// Run by the build as a program of its own: runs a program of dist/ and leaves V8's code cache for every bundle that it
// loads, functions that this run used included. Arguments: the program, then its own.
const { writeFileSync } = require("node:fs");
const { basename } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const vm = require("node:vm");

const loaded = [];
vm.Script = class extends vm.Script {
  constructor(source, { filename }) {
    super(source, { filename });
    loaded.push({ filename, script: this });
  }
};
process.once("exit", () => {
  for (const { filename, script } of loaded) {
    // A cache is taken only under the flags that it was made with: all but the judge start without optimising.
    setFlagsFromString(basename(filename) === "hook-judge.cjs" ? "--opt" : "--no-opt");
    writeFileSync(`${filename}.cache`, script.createCachedData());
  }
});
process.argv.splice(1, 1);
require(process.argv[1]);
