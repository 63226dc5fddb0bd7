// Takes the pictures of the command line for docs/images/: asks about a small shop through the hook, then shows every
// screen on a terminal of 100 columns and renders it in a browser.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "./chromium.mjs";

const project = resolve(import.meta.dirname, "..");
const images = join(project, "docs", "images");
const COLUMNS = 100;

const FILES = {
  "package.json": '{ "name": "shop", "private": true, "type": "module" }\n',
  "src/tax/lookup.ts": `export interface TaxRate {
  rate: number;
}

const TABLE = new Map<string, TaxRate>([["north", { rate: 0.19 }], ["south", { rate: 0.07 }]]);

/** Tax rate of a region; undefined where the region is unknown. */
export function rateFor(region: string): TaxRate | undefined {
  return TABLE.get(region);
}
`,
  "src/checkout/total.ts": `import { rateFor } from "../tax/lookup.ts";

/** The price with the region's tax. */
export function computeTotal(net: number, region: string): number {
  return net * (1 + (rateFor(region)?.rate ?? 0));
}
`,
  "src/checkout/receipt.ts": `import { computeTotal } from "./total.ts";

/** One line of a receipt. */
export function toLine(article: string, net: number, region: string): string {
  return \`\${article} \${computeTotal(net, region).toFixed(2)}\`;
}
`,
};
const PROMPTS = [
  "why does rateFor() return undefined?",
  "thanks, have a nice weekend",
  "who calls computeTotal?",
  "收据上的总价是在哪里计算的？",
  "refactor src/checkout/receipt.ts so that the region has a default",
];
/** Name of the picture → arguments of the command. */
const SCREENS = {
  groundwork: [],
  try: ["try", "who calls computeTotal?"],
  explain: ["explain", "why does rateFor() return undefined?"],
  runs: ["runs", "--silent"],
  show: ["show", "last"],
  stats: ["stats"],
  doctor: ["doctor"],
};

/** A terminal's colours on a dark background. */
const COLOURS = ["#5c6370", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#dcdfe4"];
const STYLE = `body { margin: 0; background: #1e2127; }
pre { display: inline-block; margin: 0; padding: 18px 22px; max-width: ${COLUMNS}ch; white-space: pre-wrap; overflow-wrap: anywhere; background: #1e2127; color: #dcdfe4;
  font: 14px/1.35 "DejaVu Sans Mono", monospace; }`;

const scratch = mkdtempSync(join(tmpdir(), "groundwork-pictures-"));
try {
  const env = prepareShop();
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  const page = await browser.newPage({ deviceScaleFactor: 1.5, viewport: { width: 1200, height: 900 } });
  for (const [name, args] of Object.entries(SCREENS)) {
    const typed = ["groundwork", ...args.map((word) => (/[^\w-]/.test(word) ? `"${word}"` : word))].join(" ");
    const shown = `\u001b[1m$ ${typed}\u001b[0m\n${onTerminal([join(project, "bin", "groundwork"), ...args], env)}`;
    await page.setContent(`<style>${STYLE}</style><pre>${toHtml(shown)}</pre>`);
    const path = join(images, `cli-${name}.png`);
    await page.locator("pre").screenshot({ path });
    process.stdout.write(`${path}\n`);
  }
  await browser.close();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Makes the shop, indexes it and asks about it. Returns the environment. */
function prepareShop() {
  const root = join(scratch, "shop");
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const home = join(scratch, "home");
  mkdirSync(home);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LANG: "C.UTF-8",
    GROUNDWORK_HOME: join(home, "state"),
    GROUNDWORK_RESIDENT: "off",
  };
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], { cwd: root, env });
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "shop");
  execFileSync(join(project, "bin", "groundwork"), ["index"], { cwd: root, env });
  for (const prompt of PROMPTS) {
    const hook = join(project, "hooks", "context-inject-global.sh");
    execFileSync(hook, [], { cwd: root, env, input: JSON.stringify({ prompt }), stdio: ["pipe", "ignore", "ignore"] });
  }
  return env;
}

/** Returns what a program prints on a terminal. */
function onTerminal(command, env) {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const { stdout } = spawnSync("script", ["-qefc", `stty cols ${COLUMNS} rows 60; exec ${quoted}`, "/dev/null"], {
    cwd: join(scratch, "shop"),
    env: { ...env, TERM: "xterm-256color" },
    encoding: "utf8",
  });
  // Of a line that was redrawn, only the last state is visible.
  const drawn = stdout.replaceAll("\r\n", "\n").replace(/[^\n]*(?:\r|\u001b\[2K)/g, "");
  return drawn.replaceAll(scratch, "/home/ada").trimEnd();
}

/** Converts terminal colours to HTML. */
function toHtml(text) {
  let style = {};
  return text
    .split(/(\u001b\[[\d;]*m)/)
    .map((piece) => {
      const codes = /^\u001b\[([\d;]*)m$/.exec(piece)?.[1];
      if (codes === undefined) return toSpan(piece, style);
      for (const code of codes.split(";").map(Number)) style = applyCode(style, code);
      return "";
    })
    .join("");
}

function applyCode(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, "font-weight": "bold" };
  if (code === 2) return { ...style, opacity: "0.6" };
  if (code === 22) return { ...style, "font-weight": "normal", opacity: "1" };
  if (code === 39) return { ...style, color: "inherit" };
  const at = code >= 90 ? code - 90 : code - 30;
  return at >= 0 && at < 8 ? { ...style, color: COLOURS[at] } : style;
}

function toSpan(text, style) {
  const safe = text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const css = Object.entries(style).map(([name, value]) => `${name}:${value}`);
  return css.length === 0 || safe === "" ? safe : `<span style="${css.join(";")}">${safe}</span>`;
}
