// Run by the build as a program of its own: answers a sample question with a bundle and leaves V8's code cache for it,
// functions that the answer used included.
const { readFileSync, writeFileSync } = require("node:fs");
const { resolve, dirname } = require("node:path");
const { Script } = require("node:vm");

const filename = resolve(process.argv[2]);
// The same wrapper as src/entry/load-cached.ts: V8 takes a cache only for the very same source.
const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, "utf8")}\n})`;
const script = new Script(source, { filename });
process.once("exit", () => writeFileSync(`${filename}.cache`, script.createCachedData()));

const bundle = { exports: {} };
script.runInThisContext()(bundle.exports, require, bundle, filename, dirname(filename));
// The judge asks by itself, on standard input.
const client = { name: "claude-code", event: "UserPromptSubmit" };
const prompt = { text: "fix the bug in answerHook", client, hints: {}, asksForTool: false, limits: [] };
const hook = { help: false, format: "hook", prompt: null, analyzeIntent: false, hints: {} };
bundle.exports.answerHook?.(hook, prompt, "{}");
