import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { toLines } from "../../contract/faults.ts";
import { checkLength, composeInstructions, type Instructions } from "./instructions.ts";
import { parseStartOptions } from "./start-options.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const BASE = "请完成以下各节所述的任务。 (Do what the sections below ask for.)";
const NO_HOME = makeFolder();
const LIMIT = 1_048_576;

interface Given extends Partial<Omit<Parameters<typeof composeInstructions>[0], "options" | "readStdin">> {
  readonly stdin?: string;
}

function run(argv: readonly string[], { stdin, ...given }: Given = {}) {
  const options = parseStartOptions(argv, {});
  if (!options.ok) throw new Error(options.fault.message);
  let reads = 0;
  const readStdin = async () => {
    if (stdin === undefined || ++reads > 1) throw new Error("nobody may read stdin here");
    return stdin;
  };
  return composeInstructions({
    options: options.value,
    cwd: NO_HOME,
    home: NO_HOME,
    env: {},
    now: NOW,
    readStdin,
    ...given,
  });
}

async function compose(argv: readonly string[], given: Given = {}): Promise<Instructions> {
  const composed = await run(argv, given);
  if (!composed.ok) throw new Error(composed.fault.message);
  return composed.value;
}

async function refused(argv: readonly string[], given: Given = {}): Promise<readonly string[]> {
  const composed = await run(argv, given);
  return composed.ok ? [] : toLines(composed.fault);
}

const section = (attributes: string, body: string) =>
  `<instructions-section ${attributes}>\n${body}\n</instructions-section>\n\n`;
const inDocument = (...sections: readonly string[]) =>
  `<user-instructions>\n[2026-01-02T03:04:05Z] Composed instructions:\n\n${sections.join("")}</user-instructions>\n`;
const builtIn = section('type="base" path="builtin"', BASE);

describe("[CNI-19] instructions", () => {
  it("puts the task after the base text", async () => {
    expect(await compose(["--task", "Fix it"])).toEqual({
      text: inDocument(builtIn, section('type="text"', "Fix it")),
      sources: ["Base: builtin default", "Add text: Fix it"],
      task: "Fix it",
      title: "Fix it",
    });
  });

  it("keeps the order: prepended parts, base, files and texts as given, appended parts", async () => {
    const cwd = makeFolder({ "a.md": "A\n", "b.md": "B", "p.md": "P", "z.md": "Z", "base.md": "Own base" });
    const before = ["--append", "last", "--append-file", "z.md", "--prepend-file", "p.md", "--prepend", "first"];
    const argv = [...before, "-f", "b.md", "--task", "T", "--docs", "a.md", "-", "-c", "C", "-F", "base.md"];
    expect(await compose(argv, { cwd, stdin: "piped" })).toEqual({
      text: inDocument(
        section('type="prepend-file" path="p.md"', "P"),
        section('type="prepend-text"', "first"),
        section('type="base" path="base.md"', "Own base"),
        section('type="file" path="b.md"', "B"),
        section('type="text"', "T"),
        section('type="file" path="a.md"', "A"),
        section('type="file" path="STDIN"', "piped"),
        section('type="text"', "C"),
        section('type="append-text"', "last"),
        section('type="append-file" path="z.md"', "Z"),
      ),
      sources: [
        "Prepend file: p.md",
        "Prepend text: first",
        "Base: override file: base.md",
        "Add file: b.md",
        "Add text: T",
        "Add file: a.md",
        "Add file: STDIN",
        "Add text: C",
        "Append text: last",
        "Append file: z.md",
      ],
      task: "T\n\nC",
      title: "T",
    });
  });

  it("lists the first 80 characters of a text as its source, on one line", async () => {
    const [, line = ""] = (await compose(["--task", `one\ntwo\u001b[2J ${"字".repeat(200)}`])).sources;
    expect(line).toBe(`Add text: one two [2J ${"字".repeat(67)}…`);
    expect(line.slice("Add text: ".length)).toHaveLength(80);
  });

  it("gives the same bytes for the same input", async () => {
    const cwd = makeFolder({ "d/c.md": "c", "d/a.md": "a", "d/b/x.md": "x" });
    const once = await compose(["--docs", "d/**/*.md", "-f", "d"], { cwd });
    expect(await compose(["--docs", "d/**/*.md", "-f", "d"], { cwd })).toEqual(once);
    const files = ["d/a.md", "d/b/x.md", "d/c.md"].map((path) => `Add file: ${path}`);
    expect(once.sources).toEqual(["Base: builtin default", ...files, ...files]);
  });
});

describe("[CNI-19] the base text", () => {
  const home = makeFolder({ ".codex/instructions.md": "House rules\n" });
  const own = join(home, ".codex", "instructions.md");

  it("is the user's own file if there is one", async () => {
    const { text, sources, task } = await compose(["--task", "T"], { home });
    expect(text).toBe(inDocument(section(`type="base" path="${own}"`, "House rules"), section('type="text"', "T")));
    expect(sources[0]).toBe(`Base: default file: ${own}`);
    expect(task).toBe("T");
  });

  it("is replaced by -F, from stdin too, which is the task if there is no other", async () => {
    const cwd = makeFolder({ "base.md": "# Own base\n" });
    expect(await compose(["-F", "base.md"], { home, cwd })).toEqual({
      text: inDocument(section('type="base" path="base.md"', "# Own base")),
      sources: ["Base: override file: base.md"],
      task: "# Own base",
      title: "Own base",
    });
    expect(await compose(["-F", "-"], { home, stdin: "piped\n" })).toMatchObject({
      text: inDocument(section('type="base" path="STDIN"', "piped")),
      sources: ["Base: override file: STDIN"],
      task: "piped",
    });
  });

  it("is INSTRUCTIONS if there is no other input, else standard input", async () => {
    expect(await compose([], { home, env: { INSTRUCTIONS: "From env" } })).toEqual({
      text: inDocument(section('type="base" path="INSTRUCTIONS"', "From env")),
      sources: ["Base: env: INSTRUCTIONS"],
      task: "From env",
      title: "From env",
    });
    expect(await compose([], { home, env: { INSTRUCTIONS: " " }, stdin: "From a pipe" })).toEqual({
      text: inDocument(section('type="base" path="STDIN"', "From a pipe")),
      sources: ["Base: STDIN"],
      task: "From a pipe",
      title: "From a pipe",
    });
    // Neither counts if there is any other input, and stdin is then not even read.
    expect((await compose(["--append", "x"], { home, env: { INSTRUCTIONS: "env" } })).sources[0]).toMatch(
      /default file/,
    );
  });

  it("ignores a blank file, and looks for none without a home", async () => {
    const blank = makeFolder({ ".codex/instructions.md": " \n" });
    expect((await compose(["--task", "T"], { home: blank })).sources[0]).toBe("Base: builtin default");
    expect((await compose(["--task", "T"], { home: "", cwd: home })).sources[0]).toBe("Base: builtin default");
  });

  it("reports a file that cannot be read", async () => {
    const broken = makeFolder();
    mkdirSync(join(broken, ".codex/instructions.md"), { recursive: true });
    expect(await refused(["--task", "T"], { home: broken })).toEqual([
      `错误: 不是普通文件: ${join(broken, ".codex/instructions.md")}`,
      "only regular files are read; pipe anything else in, with - in its place",
    ]);
  });
});

describe("[CNI-19] files", () => {
  const files = {
    "docs/technical/a.md": "A",
    "docs/more/b.markdown": "B",
    "docs/more/nested/n.md": "N",
    "docs/x.txt": "X",
  };
  const cwd = makeFolder({
    ...files,
    "list.txt": "\uFEFF# comment\r\n\r\ndocs/technical/*.md\r\n  docs/more/b.markdown  \r\ndocs/more/nested\n",
    "app/[id]/page.md": "literal",
    "中文 目录/说明 书.md": "内容",
  });
  it.each([
    [
      ["--docs", "docs/technical/*.md", "docs/more/*.markdown"],
      ["docs/technical/a.md", "docs/more/b.markdown"],
    ],
    [
      ["--docs-dir", "docs"],
      ["docs/more/b.markdown", "docs/more/nested/n.md", "docs/technical/a.md"],
    ],
    [
      ["-f", "docs/"],
      ["docs/more/b.markdown", "docs/more/nested/n.md", "docs/technical/a.md"],
    ],
    [
      ["--docs", "@list.txt"],
      ["docs/technical/a.md", "docs/more/b.markdown", "docs/more/nested/n.md"],
    ],
    [
      ["--docs", "docs/**/*.md"],
      ["docs/more/nested/n.md", "docs/technical/a.md"],
    ],
    [
      ["-f", "docs/x.txt", "docs/x.txt"],
      ["docs/x.txt", "docs/x.txt"],
    ],
    [["-f", "./docs/x.*"], ["./docs/x.txt"]],
    [["-f", "app/[id]/page.md"], ["app/[id]/page.md"]],
    [["-f", "中文 目录/*.md"], ["中文 目录/说明 书.md"]],
    [["--docs-dir", "中文 目录"], ["中文 目录/说明 书.md"]],
    [["-f", join(cwd, "docs/x.txt")], [join(cwd, "docs/x.txt")]],
  ])("%j", async (argv, paths) => {
    const { text, sources } = await compose(argv, { cwd });
    expect(sources.slice(1)).toEqual(paths.map((path) => `Add file: ${path}`));
    for (const path of paths) expect(text).toContain(`<instructions-section type="file" path="${path}">\n`);
  });

  it("keeps line endings and drops the byte order mark", async () => {
    const folder = makeFolder({ "crlf.md": "\uFEFFone\r\ntwo\r\n", "no-end.md": "three" });
    const { text } = await compose(["-f", "crlf.md", "no-end.md"], { cwd: folder });
    expect(text).toContain('path="crlf.md">\none\r\ntwo\r\n</instructions-section>');
    expect(text).toContain('path="no-end.md">\nthree\n</instructions-section>');
    expect((await compose(["-f", "-"], { stdin: "\uFEFFpiped" })).text).toContain('path="STDIN">\npiped\n');
  });

  it("follows a link that is named, never one that is found in a folder or by a pattern", async () => {
    const outside = makeFolder({ "secret.md": "secret" });
    const folder = makeFolder({ "d/a.md": "a" });
    symlinkSync(join(outside, "secret.md"), join(folder, "d", "link.md"));
    expect((await compose(["-f", "d/link.md"], { cwd: folder })).text).toContain("secret");
    expect((await compose(["-f", "d", "d/*.md"], { cwd: folder })).text).not.toContain("secret");
    expect(await refused(["-f", "d/l*.md"], { cwd: folder })).toEqual([
      "错误: 文件不存在: d/l*.md",
      "   - 搜索模式: d/l*.md",
      `   - 工作目录: ${folder}`,
      "   - 匹配到的文件: 0 个",
      "   - 未跟随的链接: 1 个 (a link is followed only if it is named itself)",
    ]);
  });

  it("escapes paths in attributes", async () => {
    const folder = makeFolder({ 'a"><b&.md': "x" });
    expect((await compose(["-f", "*.md"], { cwd: folder })).text).toContain('path="a&quot;&gt;&lt;b&amp;.md">');
  });
});

describe("[CNI-19] instructions that are refused", () => {
  const cwd = makeFolder({
    "empty/x.txt": "",
    "a.md": "A",
    "list.txt": "a.md\n\n# x\ngone.md\n",
    "none.txt": "# only\n\n",
  });
  const nothing = [
    "错误: 没有指令, 请使用 --task, -f, --docs, INSTRUCTIONS 或 STDIN",
    'there is nothing to do: name a task (--task "…") or files (-f, --docs), or pipe it in; --help lists every option',
  ];
  const twice = [
    "错误: 多处请求从 STDIN 读取（通过 '-'），请只在一个位置使用 '-'。",
    "only one option can have - (stdin)",
  ];
  const missing = (path: string) => [`错误: 文件不存在: ${path}`, `   - 工作目录: ${cwd}`];
  const emptyStdin = ["错误: 标准输入为空，无法从 '-' 读取", "- stands for stdin, and nothing was piped in"];
  const noMarkdown = [
    "错误: 目录内未找到 Markdown 文件: empty",
    "of a folder its *.md and *.markdown are taken; name other files themselves",
  ];
  const notAFile = (path: string) => [
    `错误: 不是普通文件: ${path}`,
    "only regular files are read; pipe anything else in, with - in its place",
  ];
  it.each<readonly [readonly string[], string | undefined, readonly string[]]>([
    [[], "", nothing],
    [[], " \n", nothing],
    [["--task", ""], undefined, nothing],
    [["-f", "empty/x.txt", "--append", " "], undefined, nothing],
    [["-f", "-", "-f", "-"], undefined, twice],
    [["-F", "-", "-f", "-"], undefined, twice],
    [["--prepend-file", "-", "--append-file", "-"], undefined, twice],
    [["-f", "-"], "", emptyStdin],
    [["-F", "-", "--task", "T"], "\n", emptyStdin],
    [["-f", "gone.md"], undefined, missing("gone.md")],
    [["-f", "a.md/b"], undefined, missing("a.md/b")],
    [["-f", "nul\0.md"], undefined, missing("nul?.md")],
    [["-f", "x\ny\u001b]2J.md"], undefined, missing("x?y?]2J.md")],
    [["-F", "gone.md"], undefined, missing("gone.md")],
    [["-F", "", "--prepend-file", ""], undefined, missing("")],
    [["--prepend-file", "gone.md"], undefined, missing("gone.md")],
    [["--append-file", "gone.md", "--task", "T"], undefined, missing("gone.md")],
    [["-f", "@gone.txt"], undefined, missing("@gone.txt")],
    [["-f", "@list.txt"], undefined, [...missing("gone.md"), "   - list.txt:4"]],
    [
      ["-f", "@none.txt"],
      undefined,
      ["错误: 列表中未解析到任何文件: none.txt", "it has one path a line; # starts a comment"],
    ],
    [
      ["--docs", "docs/technical/*.md"],
      undefined,
      [
        "错误: 文件不存在: docs/technical/*.md",
        "   - 搜索模式: docs/technical/*.md",
        `   - 工作目录: ${cwd}`,
        "   - 匹配到的文件: 0 个",
      ],
    ],
    [["--docs-dir", "gone"], undefined, ["错误: 目录不存在: gone", `   - 工作目录: ${cwd}`]],
    [["--docs-dir", "a.md"], undefined, ["错误: 目录不存在: a.md", `   - 工作目录: ${cwd}`]],
    [["--docs-dir", ""], undefined, ["错误: 目录不存在: ", `   - 工作目录: ${cwd}`]],
    [["--docs-dir", "-"], undefined, ["错误: 目录不存在: -", `   - 工作目录: ${cwd}`]],
    [["--docs-dir", "empty"], undefined, noMarkdown],
    [["-f", "empty"], undefined, noMarkdown],
    [["-F", "empty"], undefined, notAFile("empty")],
    [["-f", "/dev/null"], undefined, notAFile("/dev/null")],
  ])("%j", async (argv, stdin, lines) => {
    expect(await refused(argv, { cwd, ...(stdin === undefined ? {} : { stdin }) })).toEqual(lines);
  });

  it("files that are not UTF-8 text", async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "binary.md"), Buffer.from([65, 0, 66]));
    writeFileSync(join(folder, "gbk.md"), Buffer.from([0xd6, 0xd0, 0xce, 0xc4]));
    for (const path of ["binary.md", "gbk.md"]) {
      expect(await refused(["-f", path], { cwd: folder })).toEqual([
        `错误: 不是 UTF-8 文本: ${path}`,
        "codex takes UTF-8 only; turn the file into it first (iconv -f GBK -t UTF-8 …)",
      ]);
    }
    expect((await refused(["-f", "-"], { stdin: "a\0b" }))[0]).toBe("错误: 不是 UTF-8 文本: STDIN");
    expect((await refused([], { stdin: "a\0b" }))[0]).toBe("错误: 不是 UTF-8 文本: STDIN");
  });

  it("a pipe without a writer, at once", async () => {
    const folder = makeFolder();
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect(await refused(["-f", "pipe"], { cwd: folder })).toEqual(notAFile("pipe"));
  });

  it("more than codex accepts on its stdin, before anything is started", async () => {
    const folder = makeFolder({ "half.md": "x".repeat(LIMIT / 2), "huge.md": "" });
    truncateSync(join(folder, "huge.md"), LIMIT * 4 + 4);
    const hint = "codex takes at most 1048576 characters of instructions: name fewer or shorter files";
    expect(await refused(["-f", "huge.md"], { cwd: folder })).toEqual([
      "错误: 指令过长: huge.md, 至少 1048577 个字符, codex 最多接受 1048576 个",
      hint,
    ]);
    // The two halves alone would fit; the text around them exceeds the limit.
    const [line, second] = await refused(["-f", "half.md", "half.md"], { cwd: folder });
    expect(line).toMatch(/^错误: 指令过长: 至少 104\d{4} 个字符, codex 最多接受 1048576 个$/);
    expect(second).toBe(hint);
    expect(await refused(["-f", "half.md"], { cwd: folder })).toEqual([]);
    expect((await refused(["-f", "-"], { stdin: "x".repeat(LIMIT + 1) }))[0]).toContain("指令过长");
  });

  it("counts code points, as codex does", () => {
    expect(checkLength("😀".repeat(LIMIT))).toMatchObject({ ok: true });
    expect(checkLength(`${"😀".repeat(LIMIT)}x`)).toMatchObject({
      fault: { message: expect.stringContaining("至少 1048577 个字符") },
    });
  });

  it("a file that cannot be read", async () => {
    const folder = makeFolder();
    symlinkSync("loop.md", join(folder, "loop.md"));
    for (const option of ["-F", "-f"]) {
      expect(await refused([option, "loop.md"], { cwd: folder })).toEqual(["错误: 无法读取文件: loop.md (ELOOP)"]);
    }
  });
});

describe("the task", () => {
  it("consists of the parts that best express the request", async () => {
    const cwd = makeFolder({ "a.md": "# 标题 A\n\ntext", "b.md": "B" });
    const task = async (...argv: string[]) => (await compose(argv, { cwd })).task;
    expect(await task("-f", "a.md", "--task", "do it", "-c", " ")).toBe("do it");
    expect(await task("-f", "a.md", "b.md", "--prepend", "p")).toBe("# 标题 A\n\ntext\n\nB");
    expect(await task("--append", "last", "--prepend", "first")).toBe("first\n\nlast");
    expect((await compose(["-f", "a.md"], { cwd })).title).toBe("标题 A");
  });

  it("any text arrives, and none breaks out of its section", async () => {
    const piece = fc.constantFrom(
      "<",
      "/",
      "\\",
      " ",
      "\n",
      "instructions-section",
      "USER-instructions",
      ">",
      "x",
      "&lt;",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
        const body = `x${pieces.join("")}`;
        const { text } = await compose(["--task", body]);
        expect(text.match(/<\s*\/\s*(?:instructions-section|user-instructions)(?![\w-])/gi)).toHaveLength(3);
        expect(text.match(/<\s*(?:instructions-section|user-instructions)(?![\w-])/gi)).toHaveLength(3);
      }),
      { numRuns: 300 },
    );
  });

  it("no path makes composing throw", async () => {
    const piece = fc.oneof(
      fc.constantFrom("*", "**", "[", "]", "?", "/", "@", "a", "."),
      fc.string({ unit: "binary" }),
    );
    const path = fc.array(piece, { maxLength: 8 }).map((pieces) => `./${pieces.join("")}`.replaceAll("..", "."));
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom("file", "folder", "append-file"), async (named, kind) => {
        const options = { sources: [{ kind, path: named }], baseFile: null } as const;
        const deps = { cwd: NO_HOME, home: "", env: {}, now: NOW, readStdin: async () => "" };
        const composed = await composeInstructions({ options, ...deps });
        if (!composed.ok)
          for (const line of toLines(composed.fault)) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 300 },
    );
  });
});
