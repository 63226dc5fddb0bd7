// `npm run bench:safety -- [folder]`: the results of the gates on the development corpora next to the project, or on
// files with the same names in a folder: secrets hidden, planted instructions neutralised, break-outs left, harmless
// lines damaged, and the time for hostile inputs. Exit code 1 if a threshold is missed; 0 if the corpora are missing.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadSource, project } from "./support.mjs";

const corpora = resolve(project, "..", "shared", "corpora", "dev.tgz");
const HOSTILE_CHARS = 12_000;

/** More than 20 inputs that make careless patterns slow: repeated beginnings of patterns, and mixtures. */
function toHostileInputs() {
  const parts = [
    ...[
      " ",
      "a",
      "A1b",
      "-",
      "=",
      "\n",
      "key=",
      "?key=",
      "password=",
      "密码：",
      "token = '",
      "-----BEGIN PRIVATE KEY-----",
    ],
    ...["-----END PRIVATE KEY-----", "eyJ.", "sk-", "Bearer ", "https://a:", "http://hooks/", "curl -u ", "mysql -p "],
    ...["--password ", "$6$", "cookie: sid=", "mnemonic: abc ", "identified by '", "a1-", "A+/", "x_", "{{", "key|"],
  ];
  let state = 1;
  const next = (max) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % max;
  };
  const alphabets = [
    "abcABC012_-=:'\"/ \n.",
    "-BEGINEND PRIVATEKY\n",
    "pasword=:'token key-secret\n\"",
    "{[(<>)]}$%:=key",
  ];
  return [
    ...parts.map((part) => part.repeat(Math.ceil(HOSTILE_CHARS / part.length)).slice(0, HOSTILE_CHARS)),
    ...alphabets.map((alphabet) =>
      Array.from({ length: HOSTILE_CHARS }, () => alphabet.charAt(next(alphabet.length))).join(""),
    ),
  ];
}

const withoutPunctuation = (text) => text.replace(/[^\p{L}\p{N}]/gu, "");

/** True if a run of 60 % of the value is left. */
function hasRun(text, value) {
  const size = Math.ceil(value.length * 0.6);
  if (size === 0) return false;
  for (let at = 0; at + size <= value.length; at++) if (text.includes(value.slice(at, at + size))) return true;
  return false;
}

/** True if a secret can be read from the output, as it is or with its punctuation removed. */
function isLeft(text, value) {
  return hasRun(text, value) || hasRun(withoutPunctuation(text), withoutPunctuation(value));
}

const share = (cases, isHit) => ({ hits: cases.filter(isHit).length, of: cases.length });
const percent = ({ hits, of }) => (of === 0 ? 0 : (100 * hits) / of);

function measureSecrets(lines, { redact, defang }) {
  const shown = lines.map((line) => ({ ...line, shown: redact(defang(line.text)).text }));
  const isHidden = (line) => !isLeft(line.shown, line.text.slice(...line.secret_span));
  const secrets = shown.filter((line) => line.is_secret);
  const keys = secrets.filter(({ kind, ctx }) => /^(?:pem|ppk)/.test(kind) || /^(?:pem|ppk)/.test(ctx));
  const negatives = shown.filter((line) => !line.is_secret && !line.tolerated);
  return [
    ...[
      ["A", 99],
      ["B", 98],
      ["C", 96],
    ].map(([tier, bar]) => ({
      name: `secrets hidden, tier ${tier}`,
      figure: share(
        secrets.filter((line) => line.tier === tier),
        isHidden,
      ),
      atLeast: bar,
    })),
    { name: "private keys hidden", figure: share(keys, isHidden), atLeast: 100 },
    { name: "hard negatives damaged", figure: share(negatives, (line) => line.shown !== line.text), atMost: 2 },
  ];
}

function measureGuard({ injection, benign, structural }, { guard }) {
  const policy = { root: "/nowhere", isExcluded: () => false };
  const through = (line) => ({ line, seen: guard(line.text, policy) });
  const isNeutralised = ({ line, seen }) =>
    !seen.value.includes(line.text.slice(...line.payload_span)) &&
    seen.limits.some(({ code }) => code === "injectionFiltered");
  const planted = injection.map(through);
  const isPlain = ({ line }) => line.obfuscation === null;
  return [
    {
      name: "instructions neutralised, plain",
      figure: share(
        planted.filter((item) => isPlain(item) && item.line.lang === "en"),
        isNeutralised,
      ),
      atLeast: 92,
    },
    {
      name: "instructions neutralised, Chinese",
      figure: share(
        planted.filter(({ line }) => line.lang === "zh"),
        isNeutralised,
      ),
      atLeast: 95,
    },
    {
      name: "instructions neutralised, disguised",
      figure: share(
        planted.filter((item) => !isPlain(item)),
        isNeutralised,
      ),
      atLeast: 95,
    },
    {
      name: "benign lines damaged",
      figure: share(benign.map(through), ({ line, seen }) => seen.value !== line.text),
      atMost: 2,
    },
    {
      name: "structural break-outs",
      figure: share(structural.map(through), ({ line, seen }) => line.forbid.some((text) => seen.value.includes(text))),
      atMost: 0,
    },
  ];
}

/** The slowest single run, including the first one of each input: a hook has no time to warm up. */
function measureTime({ redact }) {
  let worst = 0;
  for (const input of toHostileInputs()) {
    const start = performance.now();
    redact(input);
    worst = Math.max(worst, performance.now() - start);
  }
  return worst;
}

function print(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, shown, bar, met } of rows) {
    console.log(`${name.padEnd(width)}  ${shown.padStart(22)}  ${bar.padStart(10)}  ${met ? "met" : "MISSED"}`);
  }
}

function toRow({ name, figure, atLeast, atMost }) {
  const value = percent(figure);
  const met = figure.of > 0 && (atLeast === undefined ? value <= atMost : value >= atLeast);
  const bar = atLeast === undefined ? `<= ${atMost} %` : `>= ${atLeast} %`;
  return { name, shown: `${figure.hits} of ${figure.of}  ${value.toFixed(2)} %`, bar, met };
}

async function main() {
  const [given] = process.argv.slice(2);
  if (!existsSync(given ?? corpora)) {
    console.log(`no corpora at ${given ?? corpora}; nothing measured`);
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), "groundwork-safety-"));
  try {
    const unpacked = given ?? scratch;
    if (given === undefined) {
      const { status, stderr } = spawnSync("tar", ["-xzf", corpora, "-C", scratch], { encoding: "utf8" });
      if (status !== 0) throw new Error(`tar failed: ${stderr}`);
    }
    const read = (name) => {
      const found = spawnSync("find", [unpacked, "-name", name], { encoding: "utf8" }).stdout.split("\n")[0];
      if (found === "") return [];
      return readFileSync(found, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    const gates = await loadSource(
      scratch,
      "src/safety/instructions",
      `export { redact } from "./src/safety/redact/redact.ts";
      export { defang } from "./src/safety/defang/defang.ts";
      export { guard } from "./src/lifecycle/guard.ts";`,
    );
    const worst = measureTime(gates);
    const texts = {
      injection: read("injection.jsonl"),
      benign: read("benign.jsonl"),
      structural: read("structural.jsonl"),
    };
    const rows = [
      ...measureSecrets(read("secrets.jsonl"), gates).map(toRow),
      {
        name: "redaction of 12,000 characters, worst",
        shown: `${worst.toFixed(1)} ms`,
        bar: "<= 50 ms",
        met: worst <= 50,
      },
      ...measureGuard(texts, gates).map(toRow),
    ];
    print(rows.filter(({ shown }) => !shown.startsWith("0 of 0 ")));
    if (rows.some(({ met }) => !met)) process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

await main();
