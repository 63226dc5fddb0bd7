import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLIENT_IDS, CLIENTS } from "../../src/contract/clients.ts";
import { locateFiles } from "../../src/install/clients/find-clients.ts";
import { projectRoot } from "../support/doors.ts";

const page = readFileSync(join(projectRoot, "docs/getting-started.md"), "utf8");
/** Returns the text below a heading. */
const sectionOf = (title: string) => page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? "";

describe("[P-9] docs/getting-started.md", () => {
  it.each(CLIENT_IDS)("has a section for %s that names every file that install creates or edits there", (id) => {
    const section = sectionOf(CLIENTS[id].title);
    expect(section).not.toBe("");
    const home = "/home/me";
    const { own, entries } = locateFiles(id, home, {});
    // A file next to one that is named need not be named itself.
    const named = (path: string) =>
      section.includes(path.replace(home, "~")) || section.includes(`${dirname(path).replace(home, "~")}/`);
    const calls = own.map(({ path }) => path).filter((path) => !path.endsWith(".sh") || id === "claude");
    for (const path of [...entries.map((entry) => entry.path), ...calls])
      expect([path, named(path)]).toEqual([path, true]);
  });

  it("links only to existing pages", () => {
    const links = Array.from(page.matchAll(/\]\(([^)#]+)/g), (match) => match[1] ?? "");
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect([link, existsSync(join(projectRoot, "docs", link))]).toEqual([link, true]);
  });
});
