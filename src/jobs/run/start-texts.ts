/** One line of the usage text: how an option is written, and what it does, a line each. */
type UsageRow = readonly [option: string, ...lines: string[]];

/** Options of start.sh as its usage shows them. Every option stands here; a test compares. */
const START_USAGE_ROWS: Readonly<Record<string, readonly UsageRow[]>> = {
  "指令 (instructions), 按给出的顺序叠加:": [
    ["--task <text>", "任务描述, 同 -c (what Codex is to do)"],
    ["-c, --content <text>", "叠加一段文本, 可多次"],
    [
      "-f, --file <path…>",
      "叠加文件, 可多个; 通配符 (**), 目录 (*.md), @list, '-' = STDIN",
      "files, globs, folders of Markdown, @list = file of paths, - = stdin",
    ],
    ["--docs <path…>", "同 -f"],
    ["--docs-dir <dir>", "目录下全部 Markdown (*.md, *.markdown), 递归"],
    ["-F, --file-override <path>", "代替默认基底文本, '-' = STDIN (in place of the base text)"],
    ["--prepend <text>", "放在最前 (before everything)"],
    ["--append <text>", "放在最后 (after everything)"],
    ["--prepend-file <path>", "同 --prepend, 取自文件"],
    ["--append-file <path>", "同 --append, 取自文件"],
    ["--patch-mode", "只要补丁, 不直接改仓库 (asks for a patch instead of edits)"],
    ["--with-context", "先附上本仓库的证据 (adds Groundwork's evidence about the repository)"],
  ],
  "权限 (policy), 传给 codex:": [
    ["--sandbox <mode>", "read-only | workspace-write | danger-full-access"],
    ["--ask-for-approval <policy>", "untrusted | on-failure | on-request | never"],
    ["--approval-mode <policy>", "同 --ask-for-approval"],
    ["--approvals <policy>", "旧写法, 同 --ask-for-approval (old spelling)"],
    ["--full-auto", "等于 workspace-write"],
    [
      "--dangerously-bypass-approvals-and-sandbox",
      "无沙箱, 只用于容器; 不可与 --ask-for-approval, --full-auto 同用",
      "no sandbox at all: only inside a container",
    ],
    ["--profile <name>", "codex 的配置名"],
    ["--codex-config <key=value>", "作为 --config 传给 codex, 可多次"],
    ["--codex-arg <arg>", "原样传给 codex 的一个参数, 可多次"],
    ["-- <args…>", "其后全部原样传给 codex (everything after it goes to codex as it is)"],
  ],
  "日志与产物 (log and products):": [
    ["-l, --log-file <path>", "日志写到此文件, 其余产物在旁边"],
    ["--log-dir <dir>", "会话目录的上级 (folder of all runs)"],
    ["--tag <name>", "名称中的标签"],
    ["--log-subdirs", "每次运行一个目录 (默认)"],
    ["--flat-logs", "全部放在同一目录"],
    ["--echo-instructions", "日志中回显指令 (默认)"],
    ["--no-echo-instructions", "不回显"],
    ["--echo-limit <n>", "最多回显 n 行, 0 = 全部 (默认)"],
    ["--redact", "产物中的密钥等替换为 ***REDACTED***"],
    ["--redact-pattern <regex>", "代替默认的脱敏正则, 可多次; 须有 --redact"],
    ["--no-aggregate", "不写汇总文件"],
    ["--aggregate-file <path>", "汇总文件 (默认 aggregate.txt)"],
    ["--aggregate-jsonl-file <path>", "汇总文件 (默认 aggregate.jsonl)"],
    ["--json", "STDOUT 只输出 meta.json (prints the run's meta.json)"],
    ["--dry-run", "只生成文件与日志, 不启动 codex"],
  ],
  "多轮 (iterations):": [
    ["--max-runs <n>", "最多 n 轮 (默认 1)"],
    ["--repeat-until <regex>", "最后消息匹配时结束 (ends when the last message matches)"],
    ["--sleep-seconds <s>", "两轮之间等待 (默认 0)"],
    ["--no-carry-context", "不把上一轮结果带入下一轮"],
    ["--no-compress-context", "带入时不压缩"],
    ["--context-head <n>", "压缩时保留前 n 行 (默认 120)"],
    ["--context-grep <regex>", "压缩时另外保留匹配的行, 可多次"],
    ["--no-overflow-retry", "上下文溢出时不重试"],
    ["--overflow-retries <n>", "溢出时最多重试 n 次 (默认 2)"],
    ["--require-change-in <glob>", "结束前这些文件须有变更, 可多次"],
    ["--require-git-commit", "结束前须有新提交"],
    ["--auto-commit-on-done", "结束前自动提交本次运行的变更 (commits what the run has changed)"],
    ["--auto-commit-message <text>", "提交信息 (默认 docs(progress): auto update)"],
    ["--commit-hooks", "提交时运行仓库自己的 hooks 与 git 配置 (off: neither counts)"],
    ["--timeout <s>", "每轮最多 s 秒, 0 = 不限 (默认); 超时退出码 124"],
    ["--resume-thread <id>", "在 codex 的这个会话中继续 (goes on in this session of codex)"],
  ],
  "其他 (more):": [
    [
      "--preset <name>",
      "sprint:   --full-auto, 连续执行, 200 步, 60 分钟",
      "analysis: 只回显 200 行    secure: --redact    fast: 20 步, 5 分钟",
    ],
    ["-h, --help", "显示帮助"],
  ],
};

const COLUMN = 32;

function toUsageLines([option, ...lines]: UsageRow): string[] {
  const head = `  ${option.startsWith("--") ? "    " : ""}${option}`;
  const indented = lines.map((line) => " ".repeat(COLUMN) + line);
  const [first = "", ...rest] = indented;
  return head.length < COLUMN - 1 ? [head + first.slice(head.length), ...rest] : [head, ...indented];
}

/** The usage text of start.sh. */
export const START_USAGE = `用法: start.sh [选项] [-- codex 的参数…]
      groundwork codex exec [选项] [-- codex 的参数…]
运行一次 codex exec, 无人值守 (runs codex unattended). 长选项也可写作 --opt=value.

${Object.entries(START_USAGE_ROWS)
  .map(([title, rows]) => [title, ...rows.flatMap(toUsageLines)].join("\n"))
  .join("\n\n")}

基底 (base text): -F, 否则 ~/.codex/instructions.md, 否则内置一行.
没有其他输入时: 环境变量 INSTRUCTIONS, 否则 STDIN.

环境变量 (environment), 选项优先:
  CODEX_LOG_DIR  CODEX_LOG_FILE  CODEX_LOG_TAG  CODEX_LOG_SUBDIRS (1)
  CODEX_SESSION_DIR  CODEX_SESSIONS_ROOT
  CODEX_LOG_AGGREGATE (1)  CODEX_LOG_AGGREGATE_FILE  CODEX_LOG_AGGREGATE_JSONL_FILE
  CODEX_ECHO_INSTRUCTIONS (1)  CODEX_ECHO_INSTRUCTIONS_LIMIT (0)
  REDACT_ENABLE (0)  REDACT_REPLACEMENT (***REDACTED***)
  ON_CONTEXT_OVERFLOW_RETRY (1)  ON_CONTEXT_OVERFLOW_MAX_RETRIES (2)
  AUTO_COMMIT_MESSAGE  AUTO_COMMIT_HOOKS (0)  INSTRUCTIONS
  DEFAULT_APPROVAL_FOR_DFA (on-request)      danger-full-access 而未给出审批策略时
  ALLOW_DFA_WITH_NEVER (0)                   1: danger-full-access + never 成为无沙箱 (危险)
  DFA_DEGRADE_ON_NEVER (1)                   1: 降级为 DFA_DEGRADE_TARGET (workspace-write); 0: 报错

退出码 (exit codes):
  0 成功    2 用法错误, 冲突, 缺少文件    124 超时    127 没有 codex    其他: codex 自己的退出码
  129, 130, 143: 被信号结束

示例 (examples):
  start.sh --task "列出没有测试的模块" --sandbox read-only --ask-for-approval never
  start.sh --docs "docs/**/*.md" --task "按文档改进 README" --sandbox workspace-write --json
  git diff | start.sh -f - --task "审查这个改动" --tag review --redact --dry-run
`;

/** What the usage text says about an option, in one line. Contract: `long` is the long spelling of one that exists. */
export function startUsageLine(long: string): string {
  const rows = Object.values(START_USAGE_ROWS).flat();
  const [option = long, text = ""] = rows.find(([written]) => written.split(/[ ,]+/).includes(long)) ?? [];
  return `${option.padEnd(COLUMN - 4)}  ${text}`;
}

/** What the value of an option is called where it is missing: `错误: --task 需要文本参数`. */
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

/** Why options of start.sh are refused. Contract: whole lines for stderr; the literal ones first, English after. */
export const START_REFUSALS = {
  unknown: (option: string, suggestions: readonly string[]) => [
    `❌ 未知参数: ${option}`,
    "💡 是否想使用以下参数？",
    ...suggestions.map((line) => `   ${line}`),
    "📖 运行 --help 查看完整参数列表 (--help lists every option)",
  ],
  missing: (option: string, needs: string) => [`错误: ${option} 需要${needs}`],
  /** `given` is another option's name, which is hardly meant as a value. */
  optionAsValue: (option: string, needs: string, long: string, given: string) => [
    `错误: ${option} 需要${needs}`,
    `${given} is an option itself; where it is meant as the value, write ${long}=${given}`,
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

/** What is said about options that are taken. */
export const START_WARNINGS = {
  approvals: (policy: string) =>
    `[warn] --approvals 是旧写法, 已当作 --ask-for-approval ${policy} (old spelling of --ask-for-approval)`,
  preset: (name: string) => `[preset] 未知预设: ${name} (unknown; there are sprint, analysis, secure and fast)`,
  patternsUnused: "[warn] --redact-pattern 未生效: 缺少 --redact (it does nothing without --redact)",
} as const;
