import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunDetail } from "../../src/contract/run-history.ts";
import { chromiumPath, openPage, PATIENCE_MS, startBrowser } from "../support/browser.ts";
import { makeDemoRun } from "../support/demo-page.ts";

let browser: Browser;
beforeAll(async () => {
  if (chromiumPath !== null) browser = await startBrowser();
});
afterAll(() => browser?.close());

const HOSTILE = [
  "<script>window.hit = 1</script>",
  '<img src="https://evil.example/x.png" onerror="window.hit = 1">',
  "<svg onload=alert(1)><style>*{display:none}</style>",
  "</pre></main></body><iframe src='https://evil.example'></iframe>",
  "javascript:window.hit=1",
  "![picture](https://evil.example/y.png)",
  "\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007",
  "\u202eright to left\u202c \u2066isolated\u2069 zero\u200bwidth \u{e0041}tag",
  "nul\u0000 bell\u0007 return\r end",
  "{{7*7}} #{7*7} %s %n",
];
const TEXT = HOSTILE.join("\n");

/** Makes a run whose texts are all hostile. */
function makeHostile(text: string, key: string): RunDetail {
  const { document, ...run } = makeDemoRun(0, Date.UTC(2026, 10, 17, 12));
  if (document === null) throw new Error("the demo has no document");
  const { for_model } = document.fused_context;
  const findings = HOSTILE.map((own) => ({
    tool: own,
    path: own,
    line: 3,
    symbol: own,
    title: own,
    summary: own,
    confidence: 0.5,
    truncated: false,
    conflict: true,
    provenance: { tool: own, at: "", version: "" },
  }));
  return {
    ...run,
    row: {
      ...run.row,
      key,
      run_id: key,
      repo: "/tmp/<b>repo</b>",
      client: "<i>client</i>",
      prompt: text.slice(0, 200),
      limits: HOSTILE,
    },
    injected: text,
    cut: HOSTILE,
    timeline: [{ stage: "run", tool: text.slice(0, 300), start_ms: 0, duration_ms: 5, status: "<b>" }],
    document: {
      ...document,
      inputs: { ...document.inputs, prompt: text, signals: [{ type: "code", match: text.slice(0, 500), weight: 1 }] },
      tool_plan: {
        ...document.tool_plan,
        tools: [
          {
            tool: text.slice(0, 99),
            tier: 1,
            reason: text.slice(0, 999),
            args: { [HOSTILE[0] ?? ""]: text.slice(0, 999) },
            timeout_ms: 1,
          },
        ],
      },
      tool_results: document.tool_results.map((result) => ({
        ...result,
        summary: text.slice(0, 999),
        data: {
          call_chain: HOSTILE.map((own) => ({ symbol_id: `${own}#${own}`, callers: HOSTILE, line: 1, summary: own })),
        },
      })),
      fused_context: {
        ...document.fused_context,
        for_model: {
          ...for_model,
          structured: {
            task_context: {
              intent_analysis: { primary_intent: "<b>intent</b>" },
              relevant_snippets: [{ file: HOSTILE[0], start_line: 3, text: TEXT }],
              call_chains: [],
            },
            findings,
          },
        },
      },
    },
  };
}

describe.skipIf(chromiumPath === null)("[K 4] hostile runs are displayed as text", { timeout: PATIENCE_MS }, () => {
  it("markup, scripts, escape sequences and bidi controls, in every part", async () => {
    const run = makeHostile(TEXT, "HOSTILE");
    await using seen = await openPage(browser, { runs: [run], state: { here: "/tmp/<b>repo</b>" } });
    const { page, server } = seen;
    const row = page.locator("a.run").first();
    await row.waitFor();
    expect(await row.textContent()).toContain("<script>window.hit = 1</script>");
    await row.click();
    const injected = page.locator("[data-part=injected]");
    await injected.waitFor();
    expect(await injected.textContent()).toBe(TEXT);
    const named = await injected
      .locator(".control")
      .evaluateAll((all) => all.map((own) => own.getAttribute("data-name")));
    expect(new Set(named)).toEqual(new Set(["ESC", "BEL", "RLO", "PDF", "LRI", "PDI", "ZWSP", "U+E0041", "NUL", "CR"]));
    // A character that changes the text direction affects only its own text.
    const order = `(() => {
      const range = document.createRange();
      const walker = document.createTreeWalker(document.querySelector("[data-part=injected]"), NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const at = walker.currentNode.data.indexOf("right to left");
        if (at < 0) continue;
        const x = (from) => { range.setStart(walker.currentNode, from); range.setEnd(walker.currentNode, from + 1); return range.getBoundingClientRect().x; };
        return x(at) < x(at + 5);
      }
    })()`;
    expect(await page.evaluate(order)).toBe(true);
    await page.goto(`http://127.0.0.1:${server.port}/#/graph/HOSTILE`);
    await page.locator(".node").first().waitFor();
    for (const hash of ["#/value", "#/jobs", "#/repository", "#/runs/HOSTILE"]) {
      await page.goto(`http://127.0.0.1:${server.port}/${hash}`);
      await page.locator("main > *").first().waitFor();
    }
    await injected.waitFor();
    expect(await page.evaluate("window.hit ?? 0")).toBe(0);
    expect(await page.locator("main script, main img, main iframe, main style, main b, main i").count()).toBe(0);
    const links = await page
      .locator("a[href]")
      .evaluateAll((all) => all.map((own) => String(own.getAttribute("href"))));
    expect(links.filter((link) => !/^(?:#\/|vscode:\/\/file\/tmp\/)/.test(link))).toEqual([]);
    const missing = (error: string) => /404/.test(error);
    expect([seen.errors.filter((error) => !missing(error)), seen.foreign]).toEqual([[], []]);
  });

  it("ten million characters are cut in the view, which says so", async () => {
    const run = makeHostile("x<b>\u202e".repeat(2_000_000), "LONG");
    await using seen = await openPage(browser, { runs: [run] });
    const { page } = seen;
    await page.locator("a.run").first().click();
    const injected = page.locator("[data-part=injected]");
    await injected.waitFor();
    const shown = (await injected.textContent()) ?? "";
    expect([shown.length, run.injected.startsWith(shown)]).toEqual([100_000, true]);
    const main = await page.locator("main").innerText();
    expect(main).toContain("Only the first 100,000 of 1,000,000 characters are shown.");
    expect(main).toContain("the page shows the first 1000000 of 10000000 injected characters");
    expect([seen.errors, seen.foreign]).toEqual([[], []]);
  });
});
