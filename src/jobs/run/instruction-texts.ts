/** Maximum number of characters (code points) that codex accepts on its standard input. */
export const MAX_INSTRUCTION_CHARS = 1_048_576;

/** Base text for users without one of their own. */
export const BUILT_IN_BASE = "请完成以下各节所述的任务。 (Do what the sections below ask for.)";

/** Names of the instructions' parts in the log. Contract: one line each, once the caller has made it a single line. */
export const SOURCE_LINES = {
  overrideFile: (path: string) => `Base: override file: ${path}`,
  defaultFile: (path: string) => `Base: default file: ${path}`,
  builtIn: "Base: builtin default",
  variable: "Base: env: INSTRUCTIONS",
  stdin: "Base: STDIN",
  file: (path: string) => `Add file: ${path}`,
  text: (start: string) => `Add text: ${start}`,
  "prepend-file": (path: string) => `Prepend file: ${path}`,
  "prepend-text": (start: string) => `Prepend text: ${start}`,
  "append-file": (path: string) => `Append file: ${path}`,
  "append-text": (start: string) => `Append text: ${start}`,
} as const;

/** Refusals to compose instructions. Contract: whole lines for stderr; the literal ones first, English after. */
export const INSTRUCTION_REFUSALS = {
  nothing: [
    "错误: 没有指令, 请使用 --task, -f, --docs, INSTRUCTIONS 或 STDIN",
    'there is nothing to do: name a task (--task "…") or files (-f, --docs), or pipe it in; --help lists every option',
  ],
  stdinTwice: [
    "错误: 多处请求从 STDIN 读取（通过 '-'），请只在一个位置使用 '-'。",
    "only one option can have - (stdin)",
  ],
  stdinEmpty: ["错误: 标准输入为空，无法从 '-' 读取", "- stands for stdin, and nothing was piped in"],
  missing: (path: string, cwd: string) => [`错误: 文件不存在: ${path}`, `   - 工作目录: ${cwd}`],
  noMatch: (pattern: string, cwd: string, links: number) => [
    `错误: 文件不存在: ${pattern}`,
    `   - 搜索模式: ${pattern}`,
    `   - 工作目录: ${cwd}`,
    "   - 匹配到的文件: 0 个",
    ...(links === 0 ? [] : [`   - 未跟随的链接: ${links} 个 (a link is followed only if it is named itself)`]),
  ],
  /** Location of a list entry; the reason precedes it. */
  inList: (list: string, line: number) => `   - ${list}:${line}`,
  emptyList: (path: string) => [`错误: 列表中未解析到任何文件: ${path}`, "it has one path a line; # starts a comment"],
  noFolder: (path: string, cwd: string) => [`错误: 目录不存在: ${path}`, `   - 工作目录: ${cwd}`],
  noMarkdown: (path: string) => [
    `错误: 目录内未找到 Markdown 文件: ${path}`,
    "of a folder its *.md and *.markdown are taken; name other files themselves",
  ],
  unreadableFolder: (path: string, why: string) => [`错误: 无法读取目录: ${path} (${why})`],
  tooManyEntries: (path: string, most: number) => [
    `错误: 文件过多: ${path}`,
    `more than ${most} files and folders to search: name a folder or a pattern with fewer`,
  ],
  unreadable: (path: string, why: string) => [`错误: 无法读取文件: ${path} (${why})`],
  notAFile: (path: string) => [
    `错误: 不是普通文件: ${path}`,
    "only regular files are read; pipe anything else in, with - in its place",
  ],
  notText: (path: string) => [
    `错误: 不是 UTF-8 文本: ${path}`,
    "codex takes UTF-8 only; turn the file into it first (iconv -f GBK -t UTF-8 …)",
  ],
  tooLong: (path: string | null, chars: number) => [
    `错误: 指令过长: ${path === null ? "" : `${path}, `}至少 ${chars} 个字符, codex 最多接受 ${MAX_INSTRUCTION_CHARS} 个`,
    `codex takes at most ${MAX_INSTRUCTION_CHARS} characters of instructions: name fewer or shorter files`,
  ],
} as const;
