// `npm run bench:call-graph -- <language> <repository>…`: compares call edges with those of a compiler. Languages:
// typescript (compiler API), python (pyright). Only targets inside the repository count. An edge is (calling function,
// called function), each by file and line of its name. Precision: the share of our edges that the compiler has too,
// among those at calls that it could resolve. Recall: the share of the compiler's edges to functions and types that we
// have. `--wrong n`, `--missing n` list some of each; `--least c` leaves out edges with less confidence.
import { resolve } from "node:path";
import { readOurs } from "./call-graph/ours.mjs";

const REFERENCES = {
  typescript: { load: () => import("./call-graph/typescript.mjs"), endings: /\.[mc]?tsx?$/ },
  python: { load: () => import("./call-graph/python.mjs"), endings: /\.pyi?$/ },
};
const BARS = { precision: 0.9, recall: 0.7 };

const [language, ...rest] = process.argv.slice(2);
const option = (name, fallback) => {
  const at = rest.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(rest.splice(at, 2)[1]);
};
const wrongShown = option("wrong", 0);
const missingShown = option("missing", 0);
const least = option("least", 0);
const reference = REFERENCES[language];
if (!reference || rest.length === 0) {
  console.log(`usage: bench/call-graph.mjs ${Object.keys(REFERENCES).join("|")} <repository>…`);
  process.exit(2);
}

let missed = 0;
for (const repository of rest) {
  const root = resolve(repository);
  const ours = await readOurs(root);
  const { readSites } = await reference.load();
  const sites = await readSites(
    root,
    ours.paths.filter((path) => reference.endings.test(path)),
  );
  const edges = ours.edges.filter(({ file, confidence }) => reference.endings.test(file) && confidence >= least);
  missed += report(repository, compare(edges, sites), ours);
}
process.exitCode = missed === 0 ? 0 : 1;

/**
 * Sites: `{file, line, name, caller (line, 0 for the file), targets: ["file:line"], counts, known}`; `known` is false
 * if the compiler cannot resolve the call, `counts` is true if the target is a function or a type of the repository.
 */
function compare(edges, sites) {
  const byLine = new Map();
  for (const site of sites) {
    const there = byLine.get(`${site.file}:${site.line}`);
    if (there) there.push(site);
    else byLine.set(`${site.file}:${site.line}`, [site]);
  }
  const right = new Map();
  const wrong = new Map();
  const unjudged = new Map();
  for (const edge of edges) {
    const onLine = byLine.get(`${edge.file}:${edge.line}`) ?? [];
    const alike = onLine.filter(({ name }) => name === edge.name);
    const there = alike.length > 0 ? alike : onLine;
    const key = `${edge.file}:${edge.caller} → ${edge.target}`;
    if (onLine.some(({ targets }) => targets.includes(edge.target))) right.set(key, edge);
    else if (there.length === 0 || there.every(({ known }) => !known)) unjudged.set(key, edge);
    else wrong.set(key, { ...edge, instead: there.flatMap(({ targets }) => targets) });
  }
  const made = new Set(edges.map(({ file, caller, target }) => `${file}:${caller} → ${target}`));
  const wanted = new Map();
  for (const site of sites) {
    if (site.counts) wanted.set(`${site.file}:${site.caller} → ${site.targets.join()}`, site);
  }
  const missing = [...wanted.values()].filter(
    ({ file, caller, targets }) => !targets.some((target) => made.has(`${file}:${caller} → ${target}`)),
  );
  return { right, wrong, unjudged, wanted, missing };
}

/** Prints the figures. Returns the number of thresholds missed. */
function report(repository, { right, wrong, unjudged, wanted, missing }, { parseMs, resolveMs, paths }) {
  const precision = right.size / Math.max(1, right.size + wrong.size);
  const recall = 1 - missing.length / Math.max(1, wanted.size);
  console.log(
    `${repository}: precision ${precision.toFixed(3)} (${right.size} right, ${wrong.size} wrong, ${unjudged.size} not to be judged), ` +
      `recall ${recall.toFixed(3)} (${wanted.size - missing.length} of ${wanted.size}); ` +
      `${paths.length} files, parse ${Math.round(parseMs)} ms, resolve ${Math.round(resolveMs)} ms CPU`,
  );
  for (const edge of spread([...wrong.values()], wrongShown)) {
    console.log(
      `  wrong   ${edge.file}:${edge.line} ${edge.name} → ${edge.target} (${edge.confidence}), is ${edge.instead.join() || "outside"}`,
    );
  }
  for (const site of spread(missing, missingShown)) {
    console.log(`  missing ${site.file}:${site.line} ${site.name} (in ${site.caller}) → ${site.targets.join()}`);
  }
  return (precision < BARS.precision ? 1 : 0) + (recall < BARS.recall ? 1 : 0);
}

/** A sample of the items, evenly spaced. */
function spread(items, count) {
  const step = Math.max(1, items.length / Math.max(1, count));
  return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[Math.floor(at * step)]);
}
