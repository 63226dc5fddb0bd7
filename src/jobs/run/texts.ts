/** One sentence for each way in which a run can end, except errors. */
export const REASONS = {
  done: "Task signaled DONE",
  continue: "Task signaled CONTINUE",
  normal: "Run completed normally",
  context_overflow: "Context or token limit exceeded",
  approval_required: "Approval required by policy",
  sandbox_denied: "Denied by the sandbox or by permissions",
  network_error: "Network error",
  auth_error: "Authentication or authorization failed",
  rate_limited: "Rate limit encountered",
  tool_error: "A command or tool failed",
  user_cancelled: "Run was cancelled",
} as const;

/** How a run ended, in one word, as recorded in `meta.json`. */
export type Classification = keyof typeof REASONS | "error";

/** Reasons of the class `error`. */
export const ERROR_REASONS = {
  exitCode: (code: number) => `Codex ended with exit code ${code}`,
  message: (message: string) => `Codex ended with an error: ${message}`,
  timeout: (seconds: number) => `Timed out after ${seconds} s`,
  endedBy: (signal: string) => `Codex was ended by ${signal}`,
  noCodex: "codex is not installed",
  folderReplaced: (folder: string) => `The run's folder was replaced while it ran: ${folder}`,
  refused: (line: string) => `Nothing was started: ${line}`,
} as const;

/** Lines of a run's log, and of its summary, that scripts look for. Contract: must not change, word for word. */
export const LOG_LINES = {
  runStart: (name: string) => `===== Codex Run Start: ${name} =====`,
  runEnd: (name: string) => `===== Codex Run End: ${name} =====`,
  script: (script: string, folder: string) => `Script: ${script}  PWD: ${folder}`,
  log: (path: string) => `Log: ${path}`,
  instructions: (path: string) => `Instructions: ${path}`,
  meta: (path: string) => `Meta: ${path}`,
  patchMode: (isOn: boolean) => `Patch Mode: ${isOn ? "on" : "off"}`,
  sources: "----- Composed Instructions (Sources) -----",
  beginInstructions: "----- Begin Composed Instructions -----",
  truncated: (lines: number) => `----- [Truncated after ${lines} lines] -----`,
  endInstructions: "----- End Composed Instructions -----",
  args: "----- Invocation Args -----",
  rawArgs: "start.sh argv (raw):",
  globalArgs: "codex global args:",
  execArgs: "codex exec args:",
  endArgs: "----- End Invocation Args -----",
  iteration: (iteration: number) => `--- Iteration ${iteration} ---`,
  beginOutput: (iteration: number) => `----- Begin Codex Output${ofIteration(iteration)} -----`,
  endOutput: (iteration: number) => `----- End Codex Output${ofIteration(iteration)} -----`,
  exitCode: (code: number) => `Exit Code: ${code}`,
  /** Not the end of the run, so it must not look like it. */
  iterationExit: (iteration: number, code: number) => `Iteration ${iteration} ended with exit code ${code}`,
  trap: (code: number) => `[trap] 非零退出（可能为早期错误或参数问题）。Exit Code: ${code}`,
  argCheck: (line: string) => `[arg-check] ${line}`,
  /** For stdout only. */
  ended: (code: number) => `Codex run ended. Exit code: ${code}`,
  dryRun: "[DRY-RUN] 跳过 codex 执行，仅生成日志与指令文件",
  summary: (classification: string, tokens: string) =>
    `Classification: ${classification}; tokens used: ${tokens === "" ? "unknown" : tokens}`,
} as const;

function ofIteration(iteration: number): string {
  return iteration > 1 ? ` (iteration ${iteration})` : "";
}

/** Notes and problems of a run: lines of its log, of stderr, or of both. */
export const RUN_NOTES = {
  noCodex: [
    "[ERROR] codex CLI 未找到，请确认已安装并在 PATH 中。",
    "codex is not on PATH; install it with: npm install -g @openai/codex",
  ],
  noCodexForPlan: "[codex-version] codex is not on PATH: the arguments are for an unknown version",
  notStarted: (why: string) => `[ERROR] codex could not be started: ${why}`,
  cannotWrite: (path: string, why: string) => `${path} could not be written: ${why}; its content is lost`,
  lost: (characters: number) => `[log] ${characters} characters are missing here: they could not be written`,
  folderReplaced: (folder: string) =>
    `[folder] ${folder} is not the folder any more that this run began in; the run ends, and nothing is written there`,
  timeout: (seconds: number) => `[timeout] codex was ended after ${seconds} s`,
  cancelled: (code: number) => `[cancelled] asked to end with exit code ${code}`,
  noContext: (why: string) => `[context] no evidence was added: ${why}`,
  contextAdded: (lines: string) => `[context] evidence was added: ${lines}`,
  overflow: (left: number) => `[overflow] context overflow; trying again with less context (${left} left)`,
  untilMet: (pattern: string) => `[repeat] 条件已满足（${pattern}），停止迭代。`,
  untilUnmet: (why: string) => `[repeat] 条件满足但未通过完成校验（${why}）。`,
  committed: (files: number) => `[auto-commit] ${files} changed ${files === 1 ? "file" : "files"} committed`,
  commitFailed: (why: string) => `[auto-commit] git commit failed: ${why}`,
  notMine: (count: string, files: readonly string[]) =>
    `[auto-commit] ${count} left out, changed before the run as well: ${files.slice(0, 5).join(", ")}`,
  filtered: (count: string, files: readonly string[]) =>
    `[auto-commit] ${count} left out, a filter of the repository's is not run without --commit-hooks: ${files.slice(0, 5).join(", ")}`,
  tooLong: (section: string) => `[instructions] the section ${section} was left out: more than Codex takes`,
  staleInstructions: "[repeat] the instructions could not be put together again; the earlier ones are used",
  badPattern: (option: string, pattern: string) => [
    `错误: ${option} 不是有效的正则表达式: ${pattern}`,
    `${option} is not a valid regular expression (look-around and back references are not supported)`,
  ],
} as const;

/** Why a session's folder cannot be used. */
export const FOLDER_FAULTS = {
  link: (path: string) => [
    `错误: 会话目录是符号链接，拒绝写入: ${path}`,
    "a link could lead anywhere; remove it, or name the folder yourself with CODEX_SESSIONS_ROOT or --log-file",
  ],
  notMade: (path: string, why: string) => [
    `错误: 无法创建会话目录: ${path}`,
    `${why}; name another folder with CODEX_SESSIONS_ROOT, --log-dir or --log-file`,
  ],
} as const;

/** The working folder is gone or cannot be entered. */
export const NO_FOLDER = "错误: 工作目录不可用 (the working folder does not exist or cannot be entered)";

/** What is missing from a task that claims to be done. */
export const UNMET = {
  noCommit: "缺少提交",
  noChange: "未检测到匹配变更",
  noRepository: "不是 git 工作区",
  unreadable: "无法读取 git 状态",
} as const;

/** Why a commit was not made. */
export const COMMIT_FAULTS = {
  halfDone: (what: string) => `something is half done in this repository (${what}); end it first`,
  locked: "another git is at work here (index.lock)",
  noAttributes: "its attributes could not be read",
  staleIndex: (why: string) => `the commit is made, but the index does not know it: ${why}; "git reset" helps`,
  silent: "no reason given",
} as const;

/** Instructions to Codex in addition to the caller's. */
export const TASK_NOTES = {
  patchMode: [
    "请仅输出可应用的补丁（patch/diff），不要写文件、不要运行会修改仓库的命令。",
    "Answer with a patch only (a unified diff that `git apply` takes, new files included); write no file and change nothing.",
    'When the patch is complete, end with "CONTROL: DONE".',
  ].join("\n"),
  notDone: (why: string) =>
    [
      `完成前置校验未通过：${why}。`,
      'The task is not finished yet: change and commit what is required, and only then end with "CONTROL: DONE".',
    ].join("\n"),
} as const;

/** Headings of the context carried over from the previous call. */
export const CARRIED = {
  none: "[no previous context]",
  head: (lines: number) => `=== Head (first ${lines} lines) ===`,
  keyLines: "=== Key Lines (pattern match) ===",
} as const;
