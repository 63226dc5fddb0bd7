// The browser for tests and pictures of pages: Debian's, or any other chromium on the PATH.
import { spawnSync } from "node:child_process";

/** Options that prevent connections of its own, and let it run without a screen and without a sandbox. */
export const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Debian's package of the browser without windows, and its program: renders the same pages for a third of the work. */
export const HEADLESS_SHELL = "chromium-headless-shell";

/** Returns the path of the browser; if there is none, throws an error that says how to install it. */
export function findChromium() {
  const { stdout } = spawnSync("sh", ["-c", `command -v ${HEADLESS_SHELL} || command -v chromium`], {
    encoding: "utf8",
  });
  if (stdout.trim() === "")
    throw new Error(`no chromium on the PATH; on Debian: sudo apt-get install ${HEADLESS_SHELL}`);
  return stdout.trim();
}
