// `npm run train`: makes the models that the hook and the guard read from the lines in this folder. Deterministic: the
// same lines and the same feature functions give the same bytes. `--check` says whether the models were made of the lines,
// features and program that are here now, without training again.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const folder = import.meta.dirname;
const project = resolve(folder, "..");

/**
 * One model: which lines, which of their marks means yes, how a line becomes features, how many slots the model has
 * (as an exponent of 2) and where it goes, of how many orders of its lines it is the mean, and whether
 * the halves of an ordinary line are lines of their own: prose in files is wrapped, and half an ordinary sentence is ordinary.
 */
const MODELS = [
  {
    name: "judgement",
    lines: "prompts",
    yes: "c",
    orders: 3,
    exponent: 17,
    target: "src/orchestrator/judgement.model",
    entry: `import { findClues } from "./src/orchestrator/clues.ts";
      import { toFeatures } from "./src/orchestrator/prompt-features.ts";
      export const featuresOf = (line) => {
        const text = line.normalize("NFKC");
        return toFeatures(text, findClues(text)).map(({ key }) => key);
      };`,
  },
  {
    name: "instruction",
    lines: "lines",
    yes: "i",
    halves: true,
    orders: 6,
    exponent: 18,
    target: "src/safety/instructions/instruction.model",
    entry: `import { defang } from "./src/safety/defang/defang.ts";
      import { visitFeatures } from "./src/safety/instructions/features.ts";
      import { toShadows } from "./src/safety/instructions/shadow.ts";
      export const featuresOf = (text) => {
        const found = new Set();
        visitFeatures(toShadows(defang(text)).join(" "), (kind, ...words) => found.add(kind + words.join(" ")));
        return [...found];
      };`,
  },
];

const PASSES = 25;
const RATE = 0.2;
/** Share of a line's features that a step does not see: no word may rely on another to be there. */
const HIDDEN = 0.4;
/** A word of the vocabulary says less than a sentence somebody would write, and nothing about its shape. */
const WORD_WEIGHT = 0.2;
const WORD_FEATURE = /^(?:[sw]|c|b[^^])/;
/** Share of a model's slots that are filled. */
const FILLED = 0.75;

/** Lines `mark<TAB>text`, with line breaks written as \n; files called words* hold single words. */
export function readLines(path, yes) {
  return readdirSync(path)
    .filter((name) => name.endsWith(".tsv"))
    .sort()
    .flatMap((name) =>
      readFileSync(join(path, name), "utf8")
        .split("\n")
        .filter((line) => /^[a-z]\t.*\S/.test(line))
        .map((line) => ({
          file: name,
          isYes: line.startsWith(yes),
          weight: name.startsWith("words") ? WORD_WEIGHT : 1,
          text: line.slice(2).replaceAll("\\n", "\n").replaceAll("\\t", "\t"),
        })),
    );
}

const FEWEST_WORDS = 12;
const FEWEST_CHARACTERS = /[\u3400-\u9fff]{20}/;

/** A line and, where it is ordinary and long enough, its halves. */
function withHalves(line) {
  if (line.isYes || line.text.includes("\n")) return [line];
  const words = line.text.split(" ");
  if (words.length >= FEWEST_WORDS) {
    const half = words.length >> 1;
    return [line, ...[words.slice(0, half), words.slice(half)].map((part) => ({ ...line, text: part.join(" ") }))];
  }
  if (!FEWEST_CHARACTERS.test(line.text)) return [line];
  const half = line.text.length >> 1;
  return [line, ...[line.text.slice(0, half), line.text.slice(half)].map((text) => ({ ...line, text }))];
}

/** Logistic regression by stochastic gradient steps, each feature with a rate of its own, mean of several orders. */
export function learn(rows, orders) {
  const places = new Map();
  const sets = rows.map(({ features }) =>
    Int32Array.from(features, (feature) => {
      const at = places.get(feature) ?? places.size;
      places.set(feature, at);
      return at;
    }),
  );
  const sum = new Float64Array(places.size);
  let bias = 0;
  for (let seed = 1; seed <= orders; seed++) {
    const one = learnOnce(rows, sets, places.size, seed);
    bias += one.bias / orders;
    for (let at = 0; at < sum.length; at++) sum[at] += one.state[2 * at] / orders;
  }
  return { bias, weights: new Map(Array.from(places, ([feature, at]) => [feature, sum[at]])) };
}

/** One order of the rows. The state has a weight and its sum of squares side by side, because both are read together. */
function learnOnce(rows, sets, size, seed) {
  const state = new Float64Array(2 * size);
  for (let at = 1; at < state.length; at += 2) state[at] = 0.01;
  let bias = 0;
  let biasSquares = 0.01;
  const random = makeRandom(seed);
  const order = rows.map((_, at) => at);
  const seen = new Int32Array(sets.reduce((most, { length }) => Math.max(most, length), 0));
  for (let pass = 0; pass < PASSES; pass++) {
    shuffle(order, random.upTo);
    for (const at of order) {
      let count = 0;
      let score = bias;
      const set = sets[at];
      for (let index = 0; index < set.length; index++) {
        if (random.isBelow(HIDDEN)) continue;
        const place = 2 * set[index];
        seen[count++] = place;
        score += state[place] / (1 - HIDDEN);
      }
      const slope = (1 / (1 + Math.exp(-score)) - (rows[at].isYes ? 1 : 0)) * rows[at].weight;
      for (let index = 0; index < count; index++) {
        const place = seen[index];
        state[place + 1] += slope * slope;
        state[place] -= (RATE * slope) / Math.sqrt(state[place + 1]);
      }
      biasSquares += slope * slope;
      bias -= (RATE * slope) / Math.sqrt(biasSquares);
    }
  }
  return { state, bias };
}

function makeRandom(seed) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state;
  };
  return {
    upTo: (max) => Math.floor((next() / 0x80000000) * max),
    // Asked a hundred million times: one comparison, no division.
    isBelow: (share) => next() < share * 0x80000000,
  };
}

function shuffle(list, random) {
  for (let at = list.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [list[at], list[other]] = [list[other], list[at]];
  }
}

/** The features worth their place: every one that several lines have, then single words by weight. */
function choose(weights, rows, slots) {
  const counts = new Map();
  for (const { features } of rows) for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return [...weights]
    .filter(([, weight]) => Math.abs(weight) >= 0.02)
    .map(([feature, weight]) => ({ feature, weight, worth: Math.abs(weight) * Math.sqrt(counts.get(feature)) }))
    .sort((a, b) => b.worth - a.worth || (a.feature < b.feature ? -1 : 1))
    .slice(0, FILLED * slots);
}

function pack(chosen, bias, exponent, { MODEL_HEADER, hashFeature, placeOf }) {
  const slots = 2 ** exponent;
  const scale = chosen.reduce((most, { weight }) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = Buffer.alloc(MODEL_HEADER.bytes + 3 * slots);
  bytes.writeUInt32LE(MODEL_HEADER.magic, 0);
  bytes.writeUInt8(exponent, MODEL_HEADER.exponentAt);
  bytes.writeFloatLE(scale, MODEL_HEADER.scaleAt);
  bytes.writeFloatLE(bias, MODEL_HEADER.biasAt);
  for (const { feature, weight } of chosen) {
    const { slot, print } = placeOf(hashFeature(feature), slots);
    let at = slot;
    while (bytes.readUInt16LE(MODEL_HEADER.bytes + 2 * at) !== 0) at = (at + 1) % slots;
    bytes.writeUInt16LE(print, MODEL_HEADER.bytes + 2 * at);
    bytes.writeInt8(Math.round(weight / scale), MODEL_HEADER.bytes + 2 * slots + at);
  }
  return bytes;
}

/** The features of a model and how models are laid out, bundled from the sources. */
export async function loadFeatures(entry) {
  const scratch = mkdtempSync(join(tmpdir(), "groundwork-train-"));
  try {
    const outfile = join(scratch, "features.mjs");
    const contents = `${entry}\nexport { MODEL_HEADER, hashFeature, placeOf } from "./src/base/linear-model.ts";`;
    await build({
      stdin: { contents, resolveDir: project, loader: "ts" },
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The lines of a model with their features: all that it is learned from. */
async function readRows(model) {
  const lib = await loadFeatures(model.entry);
  const lines = readLines(join(folder, model.lines), model.yes);
  const rows = (model.halves ? lines.flatMap(withHalves) : lines).map((line) => ({
    ...line,
    features: lib.featuresOf(line.text).filter((key) => line.weight === 1 || WORD_FEATURE.test(key)),
  }));
  return { lib, lines: lines.length, rows };
}

/** Trains one model. Returns its bytes. */
export async function train(model, { lib, lines, rows } = {}) {
  if (rows === undefined) return train(model, await readRows(model));
  const { bias, weights } = learn(rows, model.orders);
  const chosen = choose(weights, rows, 2 ** model.exponent);
  return { bytes: pack(chosen, bias, model.exponent, lib), lines, features: chosen.length };
}

const digestOf = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** What a model was learned from: every row, and this program. Training takes minutes, this takes seconds. */
function digestOfRows(rows) {
  const hash = createHash("sha256").update(readFileSync(import.meta.filename));
  for (const { isYes, weight, features } of rows) hash.update(`${isYes} ${weight} ${features.join("\n")}\0`);
  return hash.digest("hex");
}

/** Which rows each model was made of, and which bytes came of them; written with the models. */
const RECORD = join(folder, "models.json");

async function main() {
  const isCheck = process.argv.includes("--check");
  const record = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, "utf8")) : {};
  let isStale = false;
  for (const model of MODELS) {
    const target = join(project, model.target);
    const given = await readRows(model);
    const from = digestOfRows(given.rows);
    if (isCheck) {
      const isSame = record[model.name]?.rows === from && record[model.name]?.model === digestOf(readFileSync(target));
      console.log(`${model.name}: ${isSame ? "made of these lines" : "not made of these lines"}`);
      isStale ||= !isSame;
      continue;
    }
    const { bytes, lines, features } = await train(model, given);
    const isSame = existsSync(target) && readFileSync(target).equals(bytes);
    const digest = digestOf(bytes);
    console.log(
      `${model.name}: ${lines} lines, ${features} features, ${digest.slice(0, 12)}${isSame ? ", unchanged" : ""}`,
    );
    if (!isSame) writeFileSync(target, bytes);
    record[model.name] = { rows: from, model: digest };
  }
  if (!isCheck) writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
  if (isStale) {
    console.error("a model is not what its lines give; run npm run train");
    process.exitCode = 1;
  }
}

if (process.argv[1] === import.meta.filename) await main();
