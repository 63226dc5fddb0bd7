// Questions about a repository that are the same in every run: tool calls, and sentences for the hook.
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { spread } from "../support.mjs";

/** Patterns of definitions, by file extension. */
const DEFINED = {
  ".py": /^[ \t]*(?:def|class) (\w{5,})/gm,
  ".ts": /^(?:export )?(?:async )?(?:function|class|interface) (\w{5,})/gm,
  ".js": /^(?:export )?(?:async )?(?:function|class) (\w{5,})/gm,
  ".c": /^[a-z]\w*[ *]+\*?(\w{5,})\([^;]*$/gm,
  ".h": /^#define (\w{5,})\(/gm,
  ".rs": /^[ \t]*(?:pub )?(?:fn|struct|enum) (\w{5,})/gm,
  ".go": /^(?:func|type) (\w{5,})/gm,
};

/** Returns names defined in the files of the list, spread over all of them. */
export function findNames(root, paths, count) {
  const files = spread(
    paths.filter((path) => extname(path) in DEFINED),
    4_000,
  );
  const names = new Set();
  for (const path of files)
    for (const [, name] of readFileSync(join(root, path), "latin1").matchAll(DEFINED[extname(path)])) names.add(name);
  return spread([...names].sort(), count);
}

const KINDS = [
  (name) => ["ci_search", { query: `where is ${name} defined?` }],
  (name) => ["ci_search", { query: name.replace(/_|(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase() }],
  (name) => ["ci_call_chain", { symbol: name, direction: "both", depth: 2 }],
  (name) => ["ci_impact", { symbol: name }],
  (name) => ["ci_graph_rag", { query: `who calls ${name}?` }],
  (name) => ["ci_bug_locate", { error: `${name} fails with an unexpected value` }],
  // A misspelt name, for which others are suggested.
  (name) => ["ci_call_chain", { symbol: `${name.slice(0, 3)}${name.slice(4)}x`, direction: "callers", depth: 1 }],
  (_name, path) => ["ci_complexity", { path }],
];

/** Makes `count` tool calls. */
export function makeCalls(names, paths, count) {
  const files = paths.filter((path) => extname(path) in DEFINED);
  return Array.from({ length: count }, (_, at) => {
    const path = files[(at * 7919) % files.length];
    return KINDS[at % KINDS.length](names[at % names.length], path);
  });
}

/** Makes `count` sentences. */
export function makeSentences(names, count) {
  const forms = [
    (name) => `where is ${name} defined and who calls it?`,
    (name) => `what breaks if I change ${name}?`,
    (name) => `why does ${name} return the wrong value?`,
    (name) => `${name} 在哪里被调用？`,
  ];
  return Array.from({ length: count }, (_, at) => forms[at % forms.length](names[(at * 17) % names.length]));
}
