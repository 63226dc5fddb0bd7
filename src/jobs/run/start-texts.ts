import type { Environment } from "../../base/environment.ts";

/** An option's syntax, and its description in English and Chinese. */
type UsageRow = readonly [option: string, english: string, chinese: string];

interface UsageGroup {
  readonly title: readonly [english: string, chinese: string];
  readonly rows: readonly UsageRow[];
}

/** Options of start.sh as its usage text shows them. Complete; a test verifies that. */
const START_USAGE_GROUPS: readonly UsageGroup[] = [
  {
    title: ["Instructions, stacked in the order given:", "指令, 按给出的顺序叠加:"],
    rows: [
      ["--task <text>", "what Codex is to do; same as -c", "任务描述, 同 -c"],
      ["-c, --content <text>", "adds a text; repeatable", "叠加一段文本, 可多次"],
      [
        "-f, --file <path…>",
        "adds files: globs (**), folders (*.md), @list of paths, - = stdin",
        "叠加文件, 可多个; 通配符 (**), 目录 (*.md), @list, '-' = STDIN",
      ],
      ["--docs <path…>", "same as -f", "同 -f"],
      [
        "--docs-dir <dir>",
        "all Markdown files below a folder (*.md, *.markdown)",
        "目录下全部 Markdown (*.md, *.markdown), 递归",
      ],
      ["-F, --file-override <path>", "replaces the base text; - = stdin", "代替默认基底文本, '-' = STDIN"],
      ["--prepend <text>", "goes before everything", "放在最前"],
      ["--append <text>", "goes after everything", "放在最后"],
      ["--prepend-file <path>", "same as --prepend, from a file", "同 --prepend, 取自文件"],
      ["--append-file <path>", "same as --append, from a file", "同 --append, 取自文件"],
      ["--patch-mode", "asks for a patch instead of edits", "只要补丁, 不直接改仓库"],
      ["--with-context", "adds Groundwork's evidence about the repository", "附上 Groundwork 关于本仓库的证据"],
    ],
  },
  {
    title: ["Policy, passed to codex:", "权限, 传给 codex:"],
    rows: [
      [
        "--sandbox <mode>",
        "read-only | workspace-write | danger-full-access",
        "read-only | workspace-write | danger-full-access",
      ],
      [
        "--ask-for-approval <policy>",
        "untrusted | on-failure | on-request | never",
        "untrusted | on-failure | on-request | never",
      ],
      ["--approval-mode <policy>", "same as --ask-for-approval", "同 --ask-for-approval"],
      ["--approvals <policy>", "old spelling of --ask-for-approval", "旧写法, 同 --ask-for-approval"],
      ["--full-auto", "same as workspace-write", "等于 workspace-write"],
      [
        "--dangerously-bypass-approvals-and-sandbox",
        "no sandbox at all: only inside a container;\nnot together with --ask-for-approval or --full-auto",
        "无沙箱, 只用于容器; 不可与 --ask-for-approval, --full-auto 同用",
      ],
      ["--profile <name>", "a profile of codex", "codex 的配置名"],
      ["--codex-config <key=value>", "passed to codex as --config; repeatable", "作为 --config 传给 codex, 可多次"],
      ["--codex-arg <arg>", "one argument passed to codex unchanged; repeatable", "原样传给 codex 的一个参数, 可多次"],
      ["-- <args…>", "everything after it goes to codex unchanged", "其后全部原样传给 codex"],
    ],
  },
  {
    title: ["Log and products:", "日志与产物:"],
    rows: [
      ["-l, --log-file <path>", "writes the log here, the other products beside it", "日志写到此文件, 其余产物在旁边"],
      ["--log-dir <dir>", "parent of the run folders", "会话目录的上级"],
      ["--tag <name>", "part of the run's name", "名称中的标签"],
      ["--log-subdirs", "one folder per run (default)", "每次运行一个目录 (默认)"],
      ["--flat-logs", "all runs in one folder", "全部放在同一目录"],
      ["--echo-instructions", "repeats the instructions in the log (default)", "日志中回显指令 (默认)"],
      ["--no-echo-instructions", "does not", "不回显"],
      ["--echo-limit <n>", "at most n lines of them; 0 = all (default)", "最多回显 n 行, 0 = 全部 (默认)"],
      ["--redact", "replaces secrets in the products by ***REDACTED***", "产物中的密钥等替换为 ***REDACTED***"],
      [
        "--redact-pattern <regex>",
        "replaces the default patterns; repeatable; needs --redact",
        "代替默认的脱敏正则, 可多次; 须有 --redact",
      ],
      ["--no-aggregate", "writes no list of all runs", "不写汇总文件"],
      ["--aggregate-file <path>", "that list (default aggregate.txt)", "汇总文件 (默认 aggregate.txt)"],
      [
        "--aggregate-jsonl-file <path>",
        "the same as JSON (default aggregate.jsonl)",
        "汇总文件 (默认 aggregate.jsonl)",
      ],
      ["--json", "prints only the run's meta.json", "STDOUT 只输出 meta.json"],
      ["--dry-run", "makes files and log, does not start codex", "只生成文件与日志, 不启动 codex"],
    ],
  },
  {
    title: ["Iterations:", "多轮:"],
    rows: [
      ["--max-runs <n>", "at most n iterations (default 1)", "最多 n 轮 (默认 1)"],
      ["--repeat-until <regex>", "ends when the last message matches", "最后消息匹配时结束"],
      ["--sleep-seconds <s>", "waits between iterations (default 0)", "两轮之间等待 (默认 0)"],
      ["--no-carry-context", "does not carry a result into the next iteration", "不把上一轮结果带入下一轮"],
      ["--no-compress-context", "carries it uncompressed", "带入时不压缩"],
      ["--context-head <n>", "keeps the first n lines when compressing (default 120)", "压缩时保留前 n 行 (默认 120)"],
      ["--context-grep <regex>", "also keeps matching lines; repeatable", "压缩时另外保留匹配的行, 可多次"],
      ["--no-overflow-retry", "no retry when the context overflows", "上下文溢出时不重试"],
      ["--overflow-retries <n>", "at most n retries then (default 2)", "溢出时最多重试 n 次 (默认 2)"],
      [
        "--require-change-in <glob>",
        "these files must change before it ends; repeatable",
        "结束前这些文件须有变更, 可多次",
      ],
      ["--require-git-commit", "there must be a new commit before it ends", "结束前须有新提交"],
      ["--auto-commit-on-done", "commits what the run has changed", "提交本次运行的变更"],
      [
        "--auto-commit-message <text>",
        "message of that commit (default docs(progress): auto update)",
        "提交信息 (默认 docs(progress): auto update)",
      ],
      [
        "--commit-hooks",
        "lets the repository's hooks and git configuration count",
        "提交时运行仓库自己的 hooks 与 git 配置",
      ],
      [
        "--timeout <s>",
        "seconds for the whole run; 0 = no limit (default); exit code 124",
        "整次运行最多 s 秒, 0 = 不限 (默认); 超时退出码 124",
      ],
      ["--resume-thread <id>", "continues this session of codex", "在 codex 的这个会话中继续"],
    ],
  },
  {
    title: ["More:", "其他:"],
    rows: [
      [
        "--preset <name>",
        "sprint:   --full-auto, continuous, 200 steps, 60 minutes\nanalysis: echoes 200 lines  secure: --redact  fast: 20 steps, 5 min",
        "sprint:   --full-auto, 连续执行, 200 步, 60 分钟\nanalysis: 只回显 200 行    secure: --redact    fast: 20 步, 5 分钟",
      ],
      ["-h, --help", "shows this help", "显示帮助"],
    ],
  },
];

const COLUMN = 32;

function toUsageLines(option: string, text: string): string[] {
  const head = `  ${option.startsWith("--") ? "    " : ""}${option}`;
  const indented = text.split("\n").map((line) => " ".repeat(COLUMN) + line);
  const [first = "", ...rest] = indented;
  return head.length < COLUMN - 1 ? [head + first.slice(head.length), ...rest] : [head, ...indented];
}

function toOptions(language: 0 | 1): string {
  return START_USAGE_GROUPS.map(({ title, rows }) =>
    [title[language], ...rows.flatMap(([option, ...texts]) => toUsageLines(option, texts[language]))].join("\n"),
  ).join("\n\n");
}

const VARIABLE_NAMES = `  CODEX_LOG_DIR  CODEX_LOG_FILE  CODEX_LOG_TAG  CODEX_LOG_SUBDIRS (1)
  CODEX_SESSION_DIR  CODEX_SESSIONS_ROOT
  CODEX_LOG_AGGREGATE (1)  CODEX_LOG_AGGREGATE_FILE  CODEX_LOG_AGGREGATE_JSONL_FILE
  CODEX_ECHO_INSTRUCTIONS (1)  CODEX_ECHO_INSTRUCTIONS_LIMIT (0)
  REDACT_ENABLE (0)  REDACT_REPLACEMENT (***REDACTED***)
  ON_CONTEXT_OVERFLOW_RETRY (1)  ON_CONTEXT_OVERFLOW_MAX_RETRIES (2)
  AUTO_COMMIT_MESSAGE  AUTO_COMMIT_HOOKS (0)  INSTRUCTIONS`;

/** The usage text of start.sh, by language. Each contains a line with `用法:`, which older callers look for. */
export const START_USAGE = {
  english: `Usage: start.sh [options] [-- arguments of codex…]
       groundwork codex exec [options] [-- arguments of codex…]
Runs codex exec once, unattended. A long option may also be written --option=value.

${toOptions(0)}

Base text: -F, else ~/.codex/instructions.md, else one built-in line.
Without any other input: the variable INSTRUCTIONS, else standard input.

Environment variables; options take precedence:
${VARIABLE_NAMES}
  DEFAULT_APPROVAL_FOR_DFA (on-request)      with danger-full-access and no approval policy
  ALLOW_DFA_WITH_NEVER (0)                   1: danger-full-access + never has no sandbox (!)
  DFA_DEGRADE_ON_NEVER (1)                   1: use DFA_DEGRADE_TARGET (workspace-write); 0: refuse

Exit codes:
  0 success   2 wrong usage, conflict, missing file   124 timeout   127 no codex   else codex's own
  129, 130, 143: ended by a signal

Examples:
  start.sh --task "list the modules without tests" --sandbox read-only --ask-for-approval never
  start.sh --docs "docs/**/*.md" --task "improve the README" --sandbox workspace-write --json
  git diff | start.sh -f - --task "review this change" --tag review --redact --dry-run

用法: LC_ALL=zh_CN.UTF-8 start.sh --help
`,
  chinese: `用法: start.sh [选项] [-- codex 的参数…]
      groundwork codex exec [选项] [-- codex 的参数…]
运行一次 codex exec, 无人值守. 长选项也可写作 --opt=value.

${toOptions(1)}

基底: -F, 否则 ~/.codex/instructions.md, 否则内置一行.
没有其他输入时: 环境变量 INSTRUCTIONS, 否则 STDIN.

环境变量, 选项优先:
${VARIABLE_NAMES}
  DEFAULT_APPROVAL_FOR_DFA (on-request)      danger-full-access 而未给出审批策略时
  ALLOW_DFA_WITH_NEVER (0)                   1: danger-full-access + never 成为无沙箱 (危险)
  DFA_DEGRADE_ON_NEVER (1)                   1: 降级为 DFA_DEGRADE_TARGET (workspace-write); 0: 报错

退出码:
  0 成功    2 用法错误, 冲突, 缺少文件    124 超时    127 没有 codex    其他: codex 自己的退出码
  129, 130, 143: 被信号结束

示例:
  start.sh --task "列出没有测试的模块" --sandbox read-only --ask-for-approval never
  start.sh --docs "docs/**/*.md" --task "改进 README" --sandbox workspace-write --json
  git diff | start.sh -f - --task "审查这个改动" --tag review --redact --dry-run
`,
} as const;

const USAGE_ROWS = START_USAGE_GROUPS.flatMap((group) => group.rows);

/** Returns the usage text in the language of the locale: Chinese if it says so, else English. */
export function startUsage({ LC_ALL, LC_MESSAGES, LANG }: Environment): string {
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((value) => value !== undefined && value !== "") ?? "";
  return /^zh/i.test(locale) ? START_USAGE.chinese : START_USAGE.english;
}

/**
 * Lists every option of start.sh as in its English usage text: `-f, --file <path…>` and its description as a single
 * line.
 */
export function listStartOptions(): readonly { readonly written: string; readonly doc: string }[] {
  return USAGE_ROWS.map(([written, english]) => ({ written, doc: english.replace(/\s*\n\s*/g, " ") }));
}

/**
 * Returns an option's entry in the usage text, as one line. Contract: `long` is the long form of an existing option.
 */
export function startUsageLine(long: string): string {
  const [option = long, , text = ""] = USAGE_ROWS.find(([written]) => written.split(/[ ,]+/).includes(long)) ?? [];
  return `${option.padEnd(COLUMN - 4)}  ${text.split("\n", 1)[0]}`;
}

/** Description of an option's value if it is missing: `错误: --task 需要文本参数`. */
export const NEEDS = {
  text: "文本参数",
  path: "一个路径参数",
  paths: "至少一个路径参数",
  plainPath: "路径参数",
  folder: "一个目录参数",
  name: "一个名称参数",
  number: "一个数字参数",
  glob: "一个路径通配符参数",
  message: "一个提交信息参数",
  preset: "一个名称 (sprint|analysis|secure|fast)",
  regex: "一个正则参数",
  sandbox: "一个值 (read-only|workspace-write|danger-full-access)",
  policy: "一个策略 (untrusted|on-failure|on-request|never)",
  profile: "一个配置名",
  keyValue: "一个 key=value",
  argument: "一个参数字符串",
  thread: "一个会话 id",
} as const;

/** Refusals of options of start.sh. Contract: whole lines for stderr; the literal ones first, English after. */
export const START_REFUSALS = {
  unknown: (option: string, suggestions: readonly string[]) => [
    `❌ 未知参数: ${option}`,
    "💡 是否想使用以下参数？",
    ...suggestions.map((line) => `   ${line}`),
    "📖 运行 --help 查看完整参数列表 (--help lists every option)",
  ],
  missing: (option: string, needs: string) => [`错误: ${option} 需要${needs}`],
  /** `given` is another option's name, which is unlikely to be meant as a value. */
  optionAsValue: (option: string, needs: string, long: string, given: string) => [
    `错误: ${option} 需要${needs}`,
    `${given} is itself an option; if it is meant as the value, write ${long}=${given}`,
  ],
  takesNothing: (option: string) => [`错误: ${option} 不需要值`, `${option} takes no value`],
  number: (option: string, given: string, range: string) => [
    `错误: ${option} 需要${NEEDS.number}`,
    `${option} takes ${range}, not "${given}"`,
  ],
  regex: (option: string, given: string) => [
    `错误: ${option} 正则无效: ${given}`,
    `${option} takes a regular expression as grep -E does, without back references and look-around`,
  ],
  keyValue: (option: string, given: string) => [
    `错误: ${option} 需要${NEEDS.keyValue}`,
    `${option} takes key=value, not "${given}"`,
  ],
  thread: (option: string, given: string) => [
    `错误: ${option} 需要${NEEDS.thread}`,
    `${option} takes the id of a session of codex, not "${given}"`,
  ],
} as const;

/** Warnings about accepted options. */
export const START_WARNINGS = {
  approvals: (policy: string) =>
    `[warn] --approvals 是旧写法, 已当作 --ask-for-approval ${policy} (old spelling of --ask-for-approval)`,
  preset: (name: string) => `[preset] 未知预设: ${name} (unknown; there are sprint, analysis, secure and fast)`,
  patternsUnused: "[warn] --redact-pattern 未生效: 缺少 --redact (it does nothing without --redact)",
} as const;
