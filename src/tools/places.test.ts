import { beforeAll, expect, it } from "vitest";
import { callTool, type IndexedRepo, makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { SHOP } from "../../tests/support/shop-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";

const FILES = {
  ...SHOP,
  "src/verify.ts": `export function verifyCustomer(name: string): boolean {
  return name.length > 0;
}
`,
  "NOTES.md": `${"Older entries.\n".repeat(40)}
Version 9
---------

- Parcels are weighed by the harbour master.
`,
};
let repo: IndexedRepo;
beforeAll(async () => {
  repo = await makeIndexedRepo(makeFolder(FILES));
});

interface Told {
  readonly file: string;
  readonly line: number;
  readonly end_line: number;
  readonly reason: string;
  readonly summary: string;
}

async function search(query: string) {
  const { result } = await callTool(repo, "ci_search", { query });
  return (result.data?.["candidates"] ?? []) as Told[];
}

it.each([
  "where do we throw for a negative amount in the cart",
  "how is the validated customer name measured",
  "校验 customer 的代码在哪里",
])("[REQ-ATO-008] a reason says `text:` only of words that are in the shown lines: %s", async (query) => {
  const found = await search(query);
  expect(found.length).toBeGreaterThan(0);
  for (const { file, line, end_line, reason } of found) {
    const said = /text: ([^;]+)/.exec(reason)?.[1]?.split(", ") ?? [];
    const lines = (FILES[file as keyof typeof FILES] ?? "")
      .split("\n")
      .slice(line - 1, end_line)
      .join("\n")
      .toLowerCase();
    for (const word of said) expect(lines, `${file}: ${reason}`).toContain(word.toLowerCase());
  }
});

it("[REQ-ATO-008] a word that a place only resembles is reported as similar", async () => {
  const [first] = await search("校验 customer 的代码在哪里");
  expect(first?.file).toBe("src/verify.ts");
  expect(first?.reason).toMatch(/similar: 校验/);
});

it("[REQ-ATO-008] a passage is quoted by a telling line, not by a blank line or a rule above it", async () => {
  const found = await search("who are parcels weighed by at the harbour");
  const notes = found.find(({ file }) => file === "NOTES.md");
  expect(notes).toMatchObject({ line: 45, summary: "- Parcels are weighed by the harbour master." });
});
