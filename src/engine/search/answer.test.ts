import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { makeTextIndex } from "../../../tests/support/text-index.ts";
import { answerQuery, locateIssue } from "./answer.ts";
import { GRADES } from "./weights.ts";

const FILES: Readonly<Record<string, string>> = {
  "src/retry/policy.ts": `/** Decides how long to wait before a failed request is sent again. */
export class RetryPolicy {
  /** The delay grows with every attempt: exponential backoff with jitter. */
  nextDelay(attempt: number): number {
    return Math.min(this.most, this.base * 2 ** attempt);
  }
}`,
  "src/http/client.ts": `import { RetryPolicy } from "../retry/policy.ts";
export class HttpClient {
  async send(request: Request): Promise<Response> {
    return fetch(request);
  }
}`,
  "src/config/load-settings.ts": `/** Reads the settings file. */
export function loadSettings(path: string): Settings {
  return parse(readFileSync(path));
}`,
  "tests/retry.test.ts": `import { RetryPolicy } from "../src/retry/policy.ts";
it("waits longer with every retry of a request", () => {
  expect(new RetryPolicy().nextDelay(2)).toBe(4);
});`,
  "docs/retry.md": "# Retry\\n\\nHow long to wait before a failed request is sent again: the retry policy.",
};

function makeIndex(files: Readonly<Record<string, string>>) {
  return makeTextIndex(new Map(Object.entries(files)));
}

const index = makeIndex(FILES);
const ask = (text: string, limit = 5) => answerQuery(index, text, { limit, mode: "semantic" });
const paths = (text: string) => ask(text).hits.map(({ file }) => file);

describe("answers", () => {
  it("find the file that a question is about, with a place and a reason", () => {
    const { kind, hits } = ask("how is the delay of a retry with exponential backoff computed?");
    expect(kind).toBe("question");
    expect(hits[0]).toMatchObject({
      file: "src/retry/policy.ts",
      definition: "RetryPolicy",
      line: 2,
      endLine: 7,
    });
    expect(hits[0]?.words).toContain("delay");
  });

  it("find a name by its definition, not by its uses", () => {
    const { kind, hits, confidence } = ask("RetryPolicy");
    expect(kind).toBe("symbol");
    expect(hits[0]).toMatchObject({
      file: "src/retry/policy.ts",
      definition: "RetryPolicy",
      reason: expect.stringMatching(/^defines RetryPolicy/),
    });
    expect(confidence).toBe(1);
  });

  it.each([
    ["src/http/client.ts", { file: "src/http/client.ts", line: 1, endLine: 6 }],
    ["client.ts:3", { file: "src/http/client.ts", line: 3, endLine: 3 }],
    ["./HTTP/client.ts:999", { file: "src/http/client.ts", line: 6, endLine: 6 }],
  ])("find the path %s as written", (text, hit) => {
    expect(ask(text)).toMatchObject({ kind: "path", confidence: 1, hits: [hit] });
  });

  it("find a missing path by its words", () => {
    expect(ask("lib/settings.py").hits[0]?.file).toBe("src/config/load-settings.ts");
  });

  it("find a pattern by the words that it must match", () => {
    expect(ask("class\\s+Http\\w+").kind).toBe("pattern");
    expect(paths("load[A-Z]\\w+|readFile.*path")[0]).toBe("src/config/load-settings.ts");
  });

  it("find English code by a Chinese question", () => {
    expect(paths("设置文件在哪里加载")[0]).toBe("src/config/load-settings.ts");
    expect(paths("重试的延迟是怎么计算的")[0]).toBe("src/retry/policy.ts");
  });

  it.each([
    ["Python", 'KeyError\n  File "/srv/app/src/config/load-settings.ts", line 3, in loadSettings\nKeyError: 1'],
    [
      "Node",
      "TypeError: x\n    at loadSettings (/srv/app/src/config/load-settings.ts:3:9)\n    at main (/srv/app/x.ts:1:1)",
    ],
  ])("find a %s trace by its last frame", (_, text) => {
    const { kind, hits } = ask(text);
    expect(kind).toBe("issue");
    expect(hits[0]).toMatchObject({ file: "src/config/load-settings.ts", definition: "loadSettings" });
  });

  it("find files and functions by an issue", () => {
    const { files, functions } = locateIssue(
      index,
      "RetryPolicy.nextDelay returns Infinity\n\nAfter 2000 attempts the delay is wrong.",
      3,
    );
    expect(files[0]).toMatchObject({
      file: "src/retry/policy.ts",
      reason: expect.stringMatching(/^defines a name in the text/),
    });
    expect(functions[0]).toMatchObject({ file: "src/retry/policy.ts", definition: "RetryPolicy.nextDelay" });
  });

  it("are more confident about the domain of the repository than about others", () => {
    const own = ask("how long to wait before a failed request is sent again").confidence;
    const other = ask("how are shader programs compiled for the graphics pipeline").confidence;
    expect(own).toBeGreaterThan(GRADES.guess);
    expect(other).toBeLessThan(GRADES.guess);
  });

  it("are less confident if a name occurs nowhere; a capital at the start of a sentence is no name", () => {
    const plain = ask("how long to wait before a failed request is sent again").confidence;
    const strange = ask("how long to wait before a failed Quuxly request is sent again").confidence;
    const start = ask("How long to wait before a failed request is sent again").confidence;
    expect(strange).toBeLessThan(plain);
    expect(start).toBe(plain);
  });

  it.each([
    ["a definition of this name", "what is RetryPolicy for in the shader pipeline", true],
    ["a member of something that is here", "what is RetryPolicy.nextDelay for in the shader pipeline", true],
    ["a file", "what is policy.ts for in the shader pipeline", true],
    ["nothing that is here", "what is ShaderPolicy for in the shader pipeline", false],
    ["a plain word in something that is not here", "what is shader.retry for in the graphics pipeline", false],
  ])("%s is named: %s", (_, text, isAnswered) => {
    expect(ask(text).confidence > GRADES.guess).toBe(isAnswered);
  });

  it("have at most `limit` hits, best first, each file once", () => {
    const { hits } = ask("retry request", 3);
    expect(hits).toHaveLength(3);
    expect(new Set(hits.map(({ file }) => file)).size).toBe(3);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(ask("retry", 0).hits).toEqual([]);
  });

  it.each([
    ["nothing", ""],
    ["punctuation", "?!.,;:(){}[]<>"],
    ["lone surrogates", "\ud800\udc00\ud800 \udfff"],
    ["only grammar", "how is it that they are"],
  ])("accept %s", (_, text) => {
    expect(ask(text).hits.every(({ confidence }) => confidence < GRADES.guess)).toBe(true);
  });

  it.each([
    ["words", "retry policy ".repeat(8_000)],
    ["one word", "a".repeat(100_000)],
    ["brackets", "(a+)+".repeat(20_000)],
    ["backslashes", "\\".repeat(100_000)],
    ["backticks", "`".repeat(100_000)],
    ["frames", '  File "a.py", line 1, in b\n'.repeat(4_000)],
    ["dots", "a.".repeat(50_000)],
    ["slashes", "a/".repeat(50_000)],
    ["Chinese", "配置文件".repeat(25_000)],
  ])("take little time for a hundred thousand characters of %s", (_, text) => {
    const spent = countFloors();
    ask(text);
    expect(spent()).toBeLessThan(300);
  });

  it("keep their bounds for any query", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 300 }),
          fc.stringMatching(/^[a-z ./:\\()[\]*+?|^$"'`\n]{0,300}$/),
        ),
        (text) => {
          const { hits, confidence } = ask(text);
          return (
            confidence >= 0 &&
            confidence <= 1 &&
            hits.every(
              (hit) =>
                hit.line >= 1 &&
                hit.endLine >= hit.line &&
                hit.confidence >= 0 &&
                hit.confidence <= 1 &&
                hit.file in FILES,
            )
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it("are empty for an empty repository", () => {
    const empty = makeIndex({});
    expect(answerQuery(empty, "where is it?", { limit: 5, mode: "keyword" })).toMatchObject({
      hits: [],
      confidence: 0,
    });
    expect(locateIssue(empty, "it fails", 5)).toEqual({ files: [], functions: [], confidence: 0 });
  });
});
