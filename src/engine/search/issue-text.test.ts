import { describe, expect, it } from "vitest";
import { readIssue } from "./issue-text.ts";

const ISSUE = `Store.fetch fails on empty keys

<!-- please fill in -->
- [x] I searched

See https://example.org/lib/nothing.py and \`src/store/fetch.ts\`.

\`\`\`ts
const store = makeStore();
\`\`\`
Also ./lib/other.rb and pkg.module.Type.`;

describe("the text of an issue", () => {
  const issue = readIssue(ISSUE);

  it("has a title, code, files, and names with their counts", () => {
    expect(issue.title).toBe("Store.fetch fails on empty keys");
    expect(issue.code).toContain("makeStore");
    expect(issue.files).toEqual(["src/store/fetch.ts", "lib/other.rb"]);
    expect(issue.dotted).toContainEqual(["Store", "fetch"]);
    expect(issue.dotted).toContainEqual(["pkg", "module", "Type"]);
    expect(issue.names.get("makeStore")).toBe(1);
    expect(issue.titleNames.has("Store")).toBe(true);
  });

  it("omits links and the tracker's template", () => {
    expect(issue.text).not.toContain("example.org");
    expect(issue.text).not.toContain("please fill in");
    expect(issue.text).not.toContain("I searched");
  });

  it("is empty for an empty text, and only the beginning of a long one", () => {
    expect(readIssue("")).toMatchObject({ title: "", code: "", files: [], frames: [], dotted: [] });
    expect(readIssue("a ".repeat(100_000)).text.length).toBeLessThan(50_000);
  });
});
