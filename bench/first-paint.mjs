// Time until the page of `groundwork ui` paints anything, and until it shows the list of runs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "../scripts/chromium.mjs";
import { groundwork } from "./support.mjs";

const TURNS = 11;

/** Opens the page on a state folder several times, each in a fresh browser context. Returns all times in ms. */
export async function measureFirstPaint(state) {
  const ui = spawn(groundwork, ["ui"], {
    env: { ...process.env, GROUNDWORK_HOME: state },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  try {
    const [address] = await once(createInterface(ui.stdout), "line");
    const turns = [];
    for (let turn = 0; turn < TURNS; turn++) turns.push(await openOnce(browser, address));
    return { paint: turns.map(({ paint }) => paint), list: turns.map(({ list }) => list) };
  } finally {
    await browser.close();
    ui.kill("SIGTERM");
    await once(ui, "close");
  }
}

async function openOnce(browser, address) {
  const context = await browser.newContext();
  const page = await context.newPage();
  // Measured by the browser's clock, from the start of the navigation.
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector("a.run") === null) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        window.listMs = performance.now();
      });
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(address);
  await page.waitForFunction(
    () => window.listMs > 0 && performance.getEntriesByName("first-contentful-paint").length > 0,
  );
  const seen = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    list: window.listMs,
  }));
  await context.close();
  return seen;
}
