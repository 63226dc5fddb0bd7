import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "../../scripts/chromium.mjs";
import { startWebServer, type WebServer } from "../../src/web/server.ts";
import { projectRoot } from "./doors.ts";
import { makePageSources, type PageContent, type PageSources } from "./page-sources.ts";

/** Path of the browser; null if there is none: the tests of the page are then not run (`npm test` says so). */
export const chromiumPath: string | null = tryFind();

function tryFind(): string | null {
  try {
    return findChromium();
  } catch (error) {
    if (process.env["GROUNDWORK_TEST_PAGE"] === "required") throw error;
    return null;
  }
}

/** Longest wait of a test; long, because a busy machine must not fail it. */
export const PATIENCE_MS = 240_000;

/** Starts a separate browser with a new, temporary profile. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath ?? "", args: CHROMIUM_FLAGS });
}

/** An open page, and the problems that the browser reported. */
export interface SeenPage extends AsyncDisposable {
  readonly page: Page;
  readonly server: WebServer;
  readonly demo: PageSources;
  /** Console errors and exceptions of the page. */
  readonly errors: string[];
  /** Requests to other addresses. */
  readonly foreign: string[];
}

/** Serves some content and opens the page on it, at the printed address unless `path` names another. */
export async function openPage(
  browser: Browser,
  content: PageContent,
  { path, ...look }: BrowserContextOptions & { readonly path?: string } = {},
): Promise<SeenPage> {
  const demo = makePageSources(content);
  const pageFolder = join(projectRoot, "dist", "page");
  const started = await startWebServer({ sources: demo.sources, pageFolder, port: 0 });
  if (!started.ok) throw new Error(started.fault.message);
  const server = started.value;
  const origin = `http://127.0.0.1:${server.port}`;
  const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 900 }, ...look });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => !request.url().startsWith(`${origin}/`) && foreign.push(request.url()));
  await page.goto(path === undefined ? server.address : `${origin}${path}`);
  return {
    ...{ page, server, demo, errors, foreign },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await server.close();
    },
  };
}
