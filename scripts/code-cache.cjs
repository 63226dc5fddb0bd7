// Run by the build as a separate program: runs a program of dist/ and writes V8's code cache for every bundle that it
// loads, including the functions that this run used. Arguments: the program, then its own arguments.
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
    // V8 accepts a cache only under the flags it was made with: all bundles but the judge start without optimization.
    setFlagsFromString(basename(filename) === "hook-judge.cjs" ? "--opt" : "--no-opt");
    writeFileSync(`${filename}.cache`, script.createCachedData());
  }
});
process.argv.splice(1, 1);
require(process.argv[1]);
