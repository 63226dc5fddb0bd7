// The browser that pages are tested and photographed in: Debian's, or any other chromium on the PATH.
import { spawnSync } from "node:child_process";

/** What keeps it from asking anybody for anything, and lets it run where there is no screen and no sandbox. */
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

/** Debian's package of the browser without windows, and its program: the same pages for a third of the work. */
export const HEADLESS_SHELL = "chromium-headless-shell";

/** Path of the browser; throws, and says how to get it, where there is none. */
export function findChromium() {
  const { stdout } = spawnSync("sh", ["-c", `command -v ${HEADLESS_SHELL} || command -v chromium`], {
    encoding: "utf8",
  });
  if (stdout.trim() === "")
    throw new Error(`no chromium on the PATH; on Debian: sudo apt-get install ${HEADLESS_SHELL}`);
  return stdout.trim();
}
