import { describe, expect, it } from "vitest";
import { makeTextIndex } from "../../../tests/support/text-index.ts";
import { answerQuery } from "./answer.ts";

const FILES: Readonly<Record<string, string>> = {
  "src/text.py": 'def slugify(value):\n    """Turns a title into a part of a URL."""\n    return value.lower()\n',
  "src/views.py": "from text import slugify\n\ndef save(post):\n    post.slug = slugify(post.title)\n",
  "src/workspace.ts": "export class Workspace {\n  close() {}\n}\n",
  "src/net.c": 'int dial(void) {\n  log("could not resolve host %s", name);\n  return 7443;\n}\n',
  "src/flags.go": 'flag.Bool("x", false, "")\nargs := []string{"--no-color"}\nos.Getenv("PGMODE")\n',
  "conf/app.yml": "cache:\n  gwmk7x: 12\n  max-idle-time: 30\n",
  "src/a_limits.py": "from settings import RETRY_RULES\n\ndef rules():\n    return RETRY_RULES['login']\n",
  "src/z_settings.py": "# RETRY_RULES are read once\nRETRY_RULES: dict[str, int] = {}\n",
  "tests/text_test.py": "def slugify(value):\n    return value\n",
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `src/other${at}.ts`,
      `export const value${at} = ${at};\n// color, host, idle x\n`,
    ]),
  ),
};
const index = makeTextIndex(new Map(Object.entries(FILES)));
const readText = (file: number) => FILES[index.pathOf(file)] ?? null;
const ask = (text: string) => answerQuery(index, text, { limit: 10, mode: "semantic", readText });

describe("a name of this repository", () => {
  it.each([
    ["who calls slugify?", "src/text.py"],
    ["what does slugify do", "src/text.py"],
    ["slugify 是做什么的", "src/text.py"],
    ["what is the Workspace class for", "src/workspace.ts"],
    ["what are workspaces for", "src/workspace.ts"],
    ["where is dial defined", "src/net.c"],
  ])("is found in any spelling: %s", (question, file) => {
    const { hits, grade } = ask(question);
    expect(hits[0]?.file).toBe(file);
    expect(hits[0]?.reason).toMatch(/^defines /);
    expect(grade).toBe("sure");
  });

  it("with several definitions is counted, tests last", () => {
    const { hits } = ask("where is slugify defined");
    expect(hits[0]?.reason).toContain("one of 2 definitions");
    expect(hits.map(({ file }) => file).indexOf("tests/text_test.py")).toBeGreaterThan(0);
  });

  it.each(["who calls frobnicate?", "where is `qwxyz` defined", "fooBarBaz 在哪里被调用", "what does zzyzx do"])(
    "that occurs nowhere has no answer: %s",
    (question) => {
      expect(ask(question).grade).toBe("none");
    },
  );
});

describe("a text that occurs literally", () => {
  it.each([
    ["Where is `gwmk7x` defined and used?", "conf/app.yml", 2],
    ["gwmk7x 在哪里用到", "conf/app.yml", 2],
    ["what uses the flag --no-color", "src/flags.go", 2],
    ['where does the message "could not resolve host" come from', "src/net.c", 2],
    ["where does 7443 come from", "src/net.c", 3],
    ["which file reads PGMODE", "src/flags.go", 3],
    ["where is max-idle-time set", "conf/app.yml", 3],
  ])("comes first, at its line: %s", (question, file, line) => {
    const { hits, grade } = ask(question);
    expect(hits[0]).toMatchObject({ file, line, isQuote: true });
    expect(hits[0]?.reason).toMatch(/^text: /);
    expect(grade).toBe("sure");
  });

  it.each(["where is RETRY_RULES defined", "RETRY_RULES 在哪里定义"])(
    "leads with the line that assigns its value, not with one that reads it: %s",
    (question) => {
      expect(ask(question).hits[0]).toMatchObject({ file: "src/z_settings.py", line: 2 });
    },
  );

  it("is reported only for the file that contains it", () => {
    const { hits } = ask("gwmk7x 在哪里用到");
    const saying = hits.filter(({ reason, words = [] }) => reason.includes("gwmk7x") || words.includes("gwmk7x"));
    expect(saying.map(({ file }) => file)).toContain("conf/app.yml");
    for (const { file, reason } of hits) if (file !== "conf/app.yml") expect(reason).not.toContain("gwmk7x");
  });

  it("is not reported if its file can no longer be read", () => {
    const { hits } = answerQuery(index, "what uses the flag --no-color", {
      limit: 10,
      mode: "semantic",
      readText: () => null,
    });
    for (const { isQuote } of hits) expect(isQuote).toBeUndefined();
  });
});
