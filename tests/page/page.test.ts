import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fail, succeed } from "../../src/contract/faults.ts";
import { chromiumPath, openPage, PATIENCE_MS, type SeenPage, startBrowser } from "../support/browser.ts";
import { DEMO_LOG, makeDemoContent, makeDemoRun, makeDemoTeam } from "../support/demo-page.ts";
import { until } from "../support/until.ts";

const NOW = Date.UTC(2026, 10, 17, 14, 16, 40);
const content = makeDemoContent(NOW);
const newest = content.runs.at(-1);
const KEY = newest?.row.key ?? "";
const RUN_JOB = "cdx-20261117_141200-retry";

let browser: Browser;
beforeAll(async () => {
  if (chromiumPath !== null) browser = await startBrowser();
});
afterAll(() => browser?.close());

const countOf = (place: Locator, count: number) =>
  until(
    () => place.count(),
    (found) => found === count,
  );
const rowsOf = (page: Page) => page.locator("main a.run");
const go = (seen: SeenPage, hash: string) => seen.page.goto(`http://127.0.0.1:${seen.server.port}/${hash}`);

function expectCalm({ errors, foreign }: SeenPage): void {
  expect([errors, foreign]).toEqual([[], []]);
}

describe.skipIf(chromiumPath === null)("[K 4] the page in a browser", { timeout: 2 * PATIENCE_MS }, () => {
  it("accepts its token, which then leaves the address bar, and lists runs as links", async () => {
    await using seen = await openPage(browser, content);
    const { page, server } = seen;
    const row = rowsOf(page).first();
    await row.waitFor();
    expect(page.url()).toBe(`http://127.0.0.1:${server.port}/`);
    const text = await row.innerText();
    for (const part of [newest?.row.run_id ?? "?", "orchard-shop", "who calls settleInvoice", "evidence", "184 ms"])
      expect(text).toContain(part);
    expect(await row.getAttribute("href")).toBe(`#/runs/${KEY}`);
    expect(await page.evaluate("document.cookie")).toBe("");
    await page.reload();
    await row.waitFor();
    expectCalm(seen);
  });

  it("a new run appears by itself, also under a filter, if it matches", async () => {
    await using seen = await openPage(browser, content);
    const { page, demo } = seen;
    await rowsOf(page).first().waitFor();
    const next = makeDemoRun(0, NOW);
    const arrive = (key: string, prompt: string) =>
      demo.push({ ...next, row: { ...next.row, key, run_id: `live-${key}`, prompt } });
    arrive("ZZZZ1", "where do live runs come from?");
    await page.locator('[data-run="live-ZZZZ1"]').waitFor();
    expect(await rowsOf(page).first().getAttribute("data-run")).toBe("live-ZZZZ1");
    await go(seen, "#/runs?text=xylophone");
    await countOf(rowsOf(page), 0);
    arrive("ZZZZ2", "something else");
    arrive("ZZZZ3", "who plays the xylophone?");
    await page.locator('[data-run="live-ZZZZ3"]').waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    expectCalm(seen);
  });

  it("shows all of one run, at an address that survives a reload", async () => {
    await using seen = await openPage(browser, content);
    const { page } = seen;
    await rowsOf(page).first().click();
    const injected = page.locator("[data-part=injected]");
    await injected.waitFor();
    expect(page.url()).toMatch(new RegExp(`#/runs/${KEY}$`));
    await page.reload();
    await injected.waitFor();
    expect(await injected.textContent()).toBe(newest?.injected);
    expect(await injected.locator("mark").allTextContents()).toEqual(["<redacted>"]);
    const whole = await page.locator("main").innerText();
    for (const part of [
      ...["symbol: settleInvoice", "0.70", "Taken as explore, 93% sure"],
      ...["traces the calls of settleInvoice", "limit=10", "tier 1", "184 ms of a budget of 5 s"],
      ...[
        "src/payment/retry.ts:18",
        "retryDelay",
        "0.94",
        "results truncated to 6 of 31 findings",
        "1 hidden: assigned value",
      ],
      "1,621 of 9,500 characters",
    ])
      expect(whole).toContain(part);
    expect(await page.locator("[data-part=timeline] rect").count()).toBe(newest?.timeline.length);
    const [bar, track] = await Promise.all([
      page.locator("[data-part=timeline] .span-tool").last().boundingBox(),
      page.locator("[data-part=timeline] .track").first().boundingBox(),
    ]);
    expect(bar?.width).toBeGreaterThan(10);
    expect((bar?.x ?? 0) + (bar?.width ?? 0)).toBeLessThanOrEqual((track?.x ?? 0) + (track?.width ?? 0) + 1);
    expect(await page.locator(".findings .lines").first().innerText()).toContain("44");
    expect(await page.locator('[data-command="Ask again"]').textContent()).toBe(
      "groundwork try 'who calls settleInvoice, and where is the retry delay of the payment client computed?' --repo /home/ada/work/orchard-shop",
    );
    expect(await page.locator(".findings a.place").first().getAttribute("href")).toBe(
      "vscode://file/home/ada/work/orchard-shop/src/billing/settle.ts:42",
    );
    await go(seen, `#/runs/${newest?.row.run_id}`);
    await injected.waitFor();
    expectCalm(seen);
  });

  it("draws the graph: places, arrows, zoom, preview, a link to the editor", async () => {
    await using seen = await openPage(browser, content);
    const { page } = seen;
    await go(seen, `#/graph/${KEY}`);
    const nodes = page.locator("[data-part=graph] .node");
    await nodes.first().waitFor();
    expect(await nodes.count()).toBe(10);
    expect(await page.locator("[data-part=graph] .edge").count()).toBe(7);
    const target = page.locator(".node-target");
    expect(await target.getAttribute("href")).toBe("vscode://file/home/ada/work/orchard-shop/src/billing/settle.ts:42");
    const group = page.locator("[data-part=graph] > g");
    const before = await group.getAttribute("transform");
    await page.getByRole("button", { name: "Zoom in" }).click();
    expect(
      await until(
        () => group.getAttribute("transform"),
        (now) => now !== before,
      ),
    ).toContain("scale(");
    await page.getByRole("button", { name: "Fit" }).click();
    await until(
      () => group.getAttribute("transform"),
      (now) => now === before,
    );
    await target.hover();
    await countOf(page.locator(".edge.near"), 7);
    expect(await page.locator(".graph-under").innerText()).toContain("called by 4, calls 3 in this picture");
    await page.mouse.wheel(0, -300);
    await until(
      () => group.getAttribute("transform"),
      (now) => now !== before,
    );
    expectCalm(seen);
  });

  it("filters by repository, outcome, intent and door, and searches; the filter is in the address", async () => {
    await using seen = await openPage(browser, content);
    const { page, demo } = seen;
    await rowsOf(page).first().waitFor();
    const shown = (count: number) =>
      until(
        () => page.locator(".list-head").innerText(),
        (text) => text.startsWith(`${count} runs`),
      );
    const choose = (label: string, value: string) =>
      page.getByRole("combobox", { name: label }).selectOption({ label: value });
    await choose("Repository", "orchard-app");
    await shown(demo.sources.countRuns({ repo: "/home/ada/work/orchard-app" }));
    await choose("Outcome", "guess");
    await shown(demo.sources.countRuns({ repo: "/home/ada/work/orchard-app", outcome: "guess" }));
    await page.reload();
    await shown(demo.sources.countRuns({ repo: "/home/ada/work/orchard-app", outcome: "guess" }));
    await page.getByRole("link", { name: "Clear" }).click();
    await choose("Intent", "debug");
    await shown(demo.sources.countRuns({ intent: "debug" }));
    await choose("Intent", "Any");
    await choose("Door", "command line");
    await shown(demo.sources.countRuns({ door: "cli" }));
    await choose("Door", "Any");
    await page.getByLabel("Silent runs too").check();
    await shown(demo.sources.countRuns({ silent: true }));
    await page.getByPlaceholder("Search prompts, ids, tools").fill("voucher midnight");
    await shown(demo.sources.countRuns({ silent: true, text: "voucher midnight" }));
    await page.getByPlaceholder("Search prompts, ids, tools").fill("no such thing");
    await page.getByText("No run matches this filter.").waitFor();
    expectCalm(seen);
  });

  it("keeps every letter typed while a list is drawn late", async () => {
    await using seen = await openPage(browser, content);
    const { page, demo } = seen;
    await rowsOf(page).first().waitFor();
    // Simulates a busy machine: the page does not know yet that its address has changed.
    await page.addInitScript(`
      isHeld = true;
      addEventListener("hashchange", (event) => isHeld && event.stopImmediatePropagation());
    `);
    await page.reload();
    await rowsOf(page).first().waitFor();
    const field = page.getByPlaceholder("Search prompts, ids, tools");
    await field.pressSequentially("xylo");
    const next = makeDemoRun(0, NOW);
    demo.push({
      ...next,
      row: { ...next.row, key: "ZZZZ1", run_id: "live-ZZZZ1", prompt: "who plays the xylophone?" },
    });
    await page.locator('[data-run="live-ZZZZ1"]').waitFor();
    expect(await field.inputValue()).toBe("xylo");
    await page.getByRole("combobox", { name: "Outcome" }).selectOption({ label: "evidence" });
    await page.evaluate("isHeld = false; dispatchEvent(new Event('hashchange'));");
    await countOf(rowsOf(page), 1);
    expect([await field.inputValue(), page.url().split("?")[1]]).toEqual(["xylo", "outcome=evidence&text=xylo"]);
    expectCalm(seen);
  });

  it("loads more while the user scrolls, until all runs are there", async () => {
    await using seen = await openPage(browser, content);
    const { page, demo } = seen;
    const all = demo.sources.countRuns({});
    await rowsOf(page).first().waitFor();
    expect(await rowsOf(page).count()).toBeLessThan(all);
    await until(
      async () => {
        await page.evaluate("scrollTo(0, document.body.scrollHeight)");
        return rowsOf(page).count();
      },
      (count) => count === all,
    );
    await countOf(page.getByRole("button", { name: "Show more" }), 0);
    const keys = await rowsOf(page).evaluateAll((rows) => rows.map((row) => String(row.getAttribute("href"))));
    expect(new Set(keys).size).toBe(all);
    expectCalm(seen);
  });

  it("is dark if the system is, or as chosen", async () => {
    await using seen = await openPage(browser, content, { colorScheme: "dark" });
    const { page } = seen;
    const ground = () => page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    await rowsOf(page).first().waitFor();
    const dark = await ground();
    await page.getByRole("button", { name: "Colours: Auto" }).click();
    await page.getByRole("button", { name: "Colours: Light" }).waitFor();
    const light = await until(ground, (now) => now !== dark);
    expect([dark, light]).toEqual(["rgb(20, 23, 26)", "rgb(251, 250, 248)"]);
    await page.reload();
    await rowsOf(page).first().waitFor();
    expect(await ground()).toBe(light);
    await page.getByRole("button", { name: "Colours: Light" }).click();
    expect(await until(ground, (now) => now === dark)).toBe(dark);
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Colours: Dark" }).click();
    expect(await until(ground, (now) => now === light)).toBe(light);
    expectCalm(seen);
  });

  it("is Chinese in a Chinese browser", async () => {
    await using seen = await openPage(browser, content, { locale: "zh-CN" });
    const { page } = seen;
    await rowsOf(page).first().waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("zh-CN");
    const parts = ["运行", "关系图", "仓库", "效果", "Codex 任务"];
    expect(await page.locator("nav a").allTextContents()).toEqual(parts);
    expect(await rowsOf(page).first().innerText()).toContain("有证据");
    await rowsOf(page).first().click();
    await page.getByText("为什么认为与代码有关").waitFor();
    expectCalm(seen);
  });

  it("fits the width of a phone", async () => {
    await using seen = await openPage(browser, content, { viewport: { width: 360, height: 720 } });
    const { page, demo } = seen;
    demo.log.text = DEMO_LOG;
    for (const [hash, ready] of [
      ["#/runs?silent=1", "a.run"],
      [`#/runs/${KEY}`, "[data-part=injected]"],
      ["#/graph", ".node"],
      ["#/repository", "[data-part=treemap] .cell"],
      ["#/value", "canvas"],
      [`#/jobs/${RUN_JOB}`, "[data-part=log]"],
    ] as const) {
      await go(seen, hash);
      await page.locator(ready).first().waitFor();
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect([hash, width]).toEqual([hash, 360]);
    }
    expectCalm(seen);
  });

  it("works with the keyboard alone", async () => {
    await using seen = await openPage(browser, content);
    const { page } = seen;
    const { keyboard } = page;
    await rowsOf(page).first().waitFor();
    const focused = () =>
      page.evaluate<string>("document.activeElement.getAttribute('data-run') ?? document.activeElement.textContent");
    await keyboard.press("Tab");
    expect(await focused()).toBe("Skip to content");
    expect(await page.locator(".skip").evaluate((own) => own.matches(":focus-visible"))).toBe(true);
    await keyboard.press("Enter");
    await keyboard.press("/");
    await keyboard.type("settleInvoice");
    await until(
      () => page.locator(".list-head").innerText(),
      (text) => text.includes("Clear"),
    );
    const first = await until(
      () => rowsOf(page).first().getAttribute("data-run"),
      (id) => id === newest?.row.run_id,
    );
    for (let tabs = 0; (await focused()) !== first; tabs++) {
      expect(tabs).toBeLessThan(12);
      await keyboard.press("Tab");
    }
    await keyboard.press("ArrowDown");
    expect(await focused()).not.toBe(first);
    await keyboard.press("ArrowUp");
    expect(await focused()).toBe(first);
    await keyboard.press("Enter");
    await page.locator("[data-part=injected]").waitFor();
    expect(page.url()).toContain(`#/runs/${KEY}`);
    await go(seen, `#/graph/${KEY}`);
    await page.locator(".node").first().waitFor();
    await page.locator(".graph-tools button").last().focus();
    const group = page.locator("[data-part=graph] > g");
    const before = await group.getAttribute("transform");
    await keyboard.press("+");
    await until(
      () => group.getAttribute("transform"),
      (now) => now !== before,
    );
    await keyboard.press("0");
    await until(
      () => group.getAttribute("transform"),
      (now) => now === before,
    );
    await keyboard.press("Shift+Tab");
    await keyboard.press("Shift+Tab");
    await keyboard.press("Shift+Tab");
    await countOf(page.locator(".node:focus"), 1);
    expect(await page.locator(".graph-under .place").count()).toBe(1);
    expectCalm(seen);
  });

  it("shows a repository: index, languages, hotspots, most asked places", async () => {
    await using seen = await openPage(browser, content);
    const { page } = seen;
    await go(seen, "#/repository");
    await page.locator("[data-part=treemap] .cell").first().waitFor();
    expect(await page.locator("[data-part=treemap] .cell").count()).toBe(content.repository?.hotspots.length);
    const whole = await page.locator("main").innerText();
    for (const part of ["up to date", "412", "38,204", "5,127", "typescript", "settleInvoice", "41×"])
      expect(whole).toContain(part);
    const sizes = await page
      .locator("[data-part=treemap] rect")
      .evaluateAll((cells) =>
        cells.map((cell) => Number(cell.getAttribute("width")) * Number(cell.getAttribute("height"))),
      );
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeGreaterThan(4);
    await page.getByText("As a table").click();
    expect(await page.locator(".figures-table tbody tr").count()).toBe(40);
    expectCalm(seen);
  });

  it("shows figures and plots of its value, by time and repository", async () => {
    await using seen = await openPage(browser, content);
    const { page, demo } = seen;
    await go(seen, "#/value?days=all");
    await countOf(page.locator(".plots canvas"), 3);
    const { runs, with_evidence } = demo.sources.stats({});
    const figures = page.locator("[data-part=figures]");
    expect(await figures.innerText()).toContain(String(runs));
    expect(await figures.innerText()).toContain(`${Math.round((with_evidence / runs) * 100)}%`);
    const hasInk = `[...document.querySelectorAll(".plots canvas")].every((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value) => value > 0);
    })`;
    expect(await page.evaluate(hasInk)).toBe(true);
    await page.getByRole("combobox", { name: "Repository" }).selectOption({ label: "orchard-app" });
    const own = demo.sources.stats({ repo: "/home/ada/work/orchard-app" });
    await until(
      () => figures.innerText(),
      (text) => text.includes(`\n${own.runs}\n`),
    );
    const main = await page.locator("main").innerText();
    for (const part of ["ci_search", "not about this repository's code", "Median time", "Asked before"])
      expect(main).toContain(part);
    expectCalm(seen);
  });

  it("[T-16] shows the figures of a team, and the reason if its server fails", async () => {
    const stats = makeDemoTeam(NOW);
    await using seen = await openPage(browser, { ...content, team: succeed(stats) });
    const { page } = seen;
    await page.locator("nav a", { hasText: "Team" }).click();
    await countOf(page.locator(".plots canvas"), 3);
    const main = await page.locator("main").innerText();
    for (const part of [
      ...[
        "Shared by 7 clients in the last 30 days",
        stats.runs.toLocaleString("en-GB"),
        "≤ 100 ms",
        "96 useful, 11 useless",
      ],
      ...["ci_graph_rag", "failed in", "nothing found", "claude-code", "As a table"],
    ])
      expect(main).toContain(part);
    expect(main).not.toContain("With so few clients");
    expectCalm(seen);

    await using alone = await openPage(browser, {
      ...content,
      team: succeed({ ...stats, clients: 1, few_clients: true }),
    });
    await go(alone, "#/team?days=7");
    await alone.page.getByText("With so few clients, these are individual").waitFor();
    await using lost = await openPage(browser, {
      ...content,
      team: fail("E_CONFIG", "the team's server refuses: <b>\u202eno</b>", "ask"),
    });
    await go(lost, "#/team");
    const alert = lost.page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/refuses: <b>.*no<\/b>; ask/);
    expect(await alert.locator(".control").count()).toBe(1);
    expectCalm(lost);

    await using none = await openPage(browser, content);
    await rowsOf(none.page).first().waitFor();
    expect(await none.page.locator("nav a").allTextContents()).not.toContain("Team");
    await go(none, "#/team");
    await none.page.getByText("No team's server is named").waitFor();
    expectCalm(none);
  });

  it("shows Codex jobs with a growing log, and stops one after confirmation", async () => {
    await using seen = await openPage(browser, content);
    const { page, demo } = seen;
    demo.log.text = "first line\n";
    await go(seen, "#/jobs");
    await page.getByRole("link", { name: RUN_JOB }).click();
    const log = page.locator("[data-part=log]");
    await log.getByText("first line").waitFor();
    demo.log.text += "\u001b[31msecond line\n";
    await log.getByText("second line").waitFor();
    expect(await log.textContent()).toBe("first line\n\u001b[31msecond line\n");
    expect(await page.locator("[data-part=changes]").innerText()).toContain("src/payment/retry.ts");
    await page.getByRole("button", { name: "Stop" }).click();
    expect(demo.changes).toEqual([]);
    await page.getByRole("button", { name: "Stop it" }).click();
    await countOf(page.locator(".job-running"), 0);
    expect(demo.changes).toEqual([{ stop: { cwd: "/home/ada/work/orchard-shop", id: RUN_JOB } }]);
    expectCalm(seen);
  });

  it("switches off and on, and deletes runs only after a confirmation", async () => {
    await using seen = await openPage(browser, content);
    const { page, demo } = seen;
    await page.getByRole("button", { name: "On. On or off, history" }).click();
    await page.getByRole("button", { name: "Off for an hour" }).click();
    await page.getByRole("button", { name: "Off. On or off, history" }).click();
    await page.getByRole("button", { name: "Switch on", exact: true }).click();
    await page.getByRole("button", { name: "On. On or off, history" }).click();
    await page.getByRole("button", { name: "Delete all runs…" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(demo.changes).toEqual([{ off: { minutes: 60 } }, { on: {} }]);
    await page.getByRole("button", { name: "Delete all runs…" }).click();
    await page.getByRole("button", { name: "Delete all runs…" }).click();
    await page.getByText(/\d deleted\./).waitFor();
    expect(demo.changes.at(-1)).toEqual({ purge: { all: true } });
    await page.keyboard.press("Escape");
    await countOf(page.getByRole("dialog"), 0);
    expectCalm(seen);
  });

  it("reports an answer that breaks off halfway, and goes on", async () => {
    await using seen = await openPage(browser, content);
    const { page } = seen;
    await rowsOf(page).first().waitFor();
    await page.route("**/api/runs?text=half&*", (route) => route.fulfill({ status: 200, body: '{"runs":[' }));
    await go(seen, "#/runs?text=half");
    await page.getByText("The server does not answer.").waitFor();
    await go(seen, `#/runs/${KEY}`);
    await page.locator("[data-part=injected]").waitFor();
    expectCalm(seen);
  });

  it("says what to do without the token, and shows nothing", async () => {
    await using seen = await openPage(browser, content, { path: "/" });
    await seen.page.getByText("This page needs the address that groundwork ui has printed").waitFor();
    expect(await seen.page.locator("main").innerText()).not.toContain("settleInvoice");
    expect(seen.foreign).toEqual([]);
    expect(seen.errors.filter((error) => !error.includes("401"))).toEqual([]);
  });

  it("lets pages of other origins neither read nor change anything, although the browser has the cookie", async () => {
    await using seen = await openPage(browser, content);
    await using other = await openPage(browser, content);
    await rowsOf(seen.page).first().waitFor();
    const { port } = other.server;
    // Same machine, same browser, cookies of both: another port is another origin.
    await seen.page.goto(other.server.address);
    await rowsOf(seen.page).first().waitFor();
    await seen.page.goto(`http://127.0.0.1:${seen.server.port}/`);
    const attempts = `Promise.all([
      fetch("http://127.0.0.1:${port}/api/runs", { credentials: "include" }).then(() => "read", () => "refused"),
      fetch("http://127.0.0.1:${port}/api/off", { method: "POST", mode: "no-cors", credentials: "include",
        headers: { "content-type": "text/plain" }, body: "{}" }).then(() => "sent", () => "refused"),
    ])`;
    expect(await seen.page.evaluate(attempts)).toEqual(["refused", "refused"]);
    expect(other.demo.changes).toEqual([]);
  });
});
