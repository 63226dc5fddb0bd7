import { describe, expect, it } from "vitest";
import { findLineDefinitions } from "./line-definitions.ts";

const names = (text: string, ending: string) =>
  findLineDefinitions(text.split("\n"), ending).map(
    ({ qualified, kind, line, endLine }) => `${kind} ${qualified} ${line}-${endLine}`,
  );

describe("line-based definitions", () => {
  it.each([
    [
      "Python",
      ".py",
      "class Store(Base):\n    def get(self, key):\n        return 1\n\n    async def put(self):\n        pass\n\ndef main():\n    pass",
      ["type Store 1-6", "function Store.get 2-3", "function Store.put 5-6", "function main 8-9"],
    ],
    [
      "TypeScript",
      ".ts",
      "export interface Hit {\n  file: string;\n}\n\nexport class Store {\n  get(key: string): Hit {\n    return find(key);\n  }\n}\n\nexport const load = async (path: string) => {\n  return path;\n};",
      ["type Hit 1-3", "type Store 5-9", "function Store.get 6-8", "function load 11-13"],
    ],
    [
      "Go",
      ".go",
      "type Store struct {\n\tkey string\n}\n\nfunc (s *Store) Get(key string) error {\n\treturn nil\n}",
      ["type Store 1-3", "function Get 5-7"],
    ],
    [
      "Rust",
      ".rs",
      "pub struct Store;\n\nimpl Store {\n    pub fn get(&self) -> u8 {\n        1\n    }\n}\n\nmacro_rules! make {\n    () => {};\n}",
      ["type Store 1-1", "type Store 3-7", "function Store.get 4-6", "function make 9-11"],
    ],
    [
      "Java",
      ".java",
      "public class Store {\n    private final int size;\n\n    public <T> List<T> get(String key) throws IOException {\n        return null;\n    }\n}",
      ["type Store 1-7", "function Store.get 4-6"],
    ],
    [
      "C",
      ".c",
      "#define MAX(a, b) ((a) > (b))\n\nstatic int read_all(int fd) {\n  return 0;\n}",
      ["function MAX 1-1", "function read_all 3-5"],
    ],
    [
      "Ruby",
      ".rb",
      "module Acme\n  class Store\n    def get\n    end\n  end\nend",
      ["type Acme 1-6", "type Acme.Store 2-5", "function Acme.Store.get 3-4"],
    ],
    [
      "shell",
      ".sh",
      "build() {\n  make\n}\nfunction clean() {\n  rm x\n}",
      ["function build 1-3", "function clean 4-6"],
    ],
  ])("%s", (_, ending, text, expected) => {
    expect(names(text, ending)).toEqual(expected);
  });

  it("do not include calls, comments and long lines", () => {
    const text = `// function no() {\nrun(a)\nif (x) {\n${"x".repeat(500)} function no() {`;
    expect(names(text, ".js")).toEqual([]);
  });

  it("do not include what follows a const assertion", () => {
    expect(names("export const SIZES = {\n  small: 1,\n} as const satisfies Sizes;\n", ".ts")).toEqual([
      "value SIZES 1-3",
    ]);
  });

  it("are empty for an empty text", () => {
    expect(findLineDefinitions([], ".py")).toEqual([]);
    expect(findLineDefinitions([""], "")).toEqual([]);
  });
});
