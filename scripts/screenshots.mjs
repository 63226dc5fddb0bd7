// Takes the pictures of the page for docs/images/: every part of an invented history, light and dark.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "./chromium.mjs";
import { buildPage } from "./page.mjs";

process.chdir(resolve(import.meta.dirname, ".."));
const IMAGES = "docs/images";
/** Fixed time, so that the pictures are the same every time. */
const NOW = Date.parse("2026-11-17T14:16:40Z");
const RUN = "main .run";

const PARTS = [
  { name: "runs", hash: "#/runs?silent=1", isReady: RUN },
  { name: "run", hash: null, isReady: "[data-part=injected]" },
  { name: "graph", hash: "#/graph", isReady: "[data-part=graph] .node" },
  { name: "repository", hash: "#/repository", isReady: "[data-part=treemap]" },
  { name: "value", hash: "#/value", isReady: "canvas" },
  { name: "jobs", hash: "#/jobs/cdx-20261117_141200-retry", isReady: "[data-part=log]" },
];

const scratch = mkdtempSync(join(tmpdir(), "groundwork-screenshots-"));
mkdirSync(IMAGES, { recursive: true });
try {
  const { startWebServer, makePageSources, makeDemoContent, DEMO_LOG } = await loadDemo();
  await buildPage(join(scratch, "page"));
  const demo = makePageSources(makeDemoContent(NOW));
  demo.log.text = DEMO_LOG;
  const started = await startWebServer({ sources: demo.sources, pageFolder: join(scratch, "page"), port: 0 });
  if (!started.ok) throw new Error(started.fault.message);
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  for (const colorScheme of ["light", "dark"]) {
    await takeAll(browser, started.value, demo, { colorScheme, viewport: { width: 1280, height: 800 } });
  }
  await takePhone(browser, started.value);
  await browser.close();
  await started.value.close();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function takeAll(browser, server, demo, look) {
  const page = await openPage(browser, server, look);
  const [newest] = demo.sources.listRuns({ limit: 1 });
  for (const { name, hash, isReady } of PARTS) {
    await page.goto(`http://127.0.0.1:${server.port}/${hash ?? `#/runs/${newest.key}`}`);
    await page.locator(isReady).first().waitFor();
    await shoot(page, `page-${name}-${look.colorScheme}`);
  }
  await page.context().close();
}

/** The list on a phone, in Chinese. */
async function takePhone(browser, server) {
  const page = await openPage(browser, server, {
    locale: "zh-CN",
    viewport: { width: 360, height: 720 },
    deviceScaleFactor: 2,
  });
  await page.locator(RUN).first().waitFor();
  await shoot(page, "page-runs-phone-zh");
  await page.context().close();
}

async function openPage(browser, server, look) {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "Europe/Berlin", ...look });
  const page = await context.newPage();
  await page.clock.setFixedTime(NOW);
  await page.goto(server.address);
  return page;
}

async function shoot(page, name) {
  await page.screenshot({ path: join(IMAGES, `${name}.png`), animations: "disabled" });
  process.stdout.write(`${IMAGES}/${name}.png\n`);
}

async function loadDemo() {
  const outfile = join(scratch, "demo.cjs");
  const exported = [
    ["startWebServer", "./src/web/server.ts"],
    ["makePageSources", "./tests/support/page-sources.ts"],
    ["makeDemoContent, DEMO_LOG", "./tests/support/demo-page.ts"],
  ];
  await build({
    stdin: {
      contents: exported.map(([names, from]) => `export { ${names} } from "${from}";`).join("\n"),
      resolveDir: ".",
      loader: "ts",
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "warning",
  });
  return createRequire(import.meta.url)(outfile);
}
