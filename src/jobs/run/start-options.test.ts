import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StartOptions } from "../../contract/codex-jobs.ts";
import { toLines } from "../../contract/faults.ts";
import { START_OPTIONS } from "./start-option-table.ts";
import { parseStartOptions } from "./start-options.ts";
import { START_USAGE, startUsage } from "./start-texts.ts";

const DEFAULTS: StartOptions = {
  help: false,
  dryRun: false,
  json: false,
  sources: [],
  baseFile: null,
  logFile: null,
  logFolder: null,
  isFlat: false,
  tag: "",
  echoes: true,
  echoLimit: 0,
  codexArgs: [],
  redacts: false,
  redactPatterns: [],
  replacement: "***REDACTED***",
  patchMode: false,
  requireChangeIn: [],
  requireGitCommit: false,
  autoCommit: false,
  autoCommitMessage: "docs(progress): auto update",
  commitHooks: false,
  repeatUntil: null,
  maxRuns: 1,
  sleepSeconds: 0,
  carriesContext: true,
  compressesContext: true,
  contextHead: 120,
  contextGrep: [],
  overflowRetries: 2,
  aggregates: true,
  aggregateFile: null,
  aggregateJsonlFile: null,
  withContext: false,
  timeoutSeconds: 0,
  resumeThread: null,
  warnings: [],
};

function parse(argv: readonly string[], env: Record<string, string> = {}): StartOptions {
  const parsed = parseStartOptions(argv, env);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return parsed.value;
}

function refuse(argv: readonly string[], env: Record<string, string> = {}): readonly string[] {
  const parsed = parseStartOptions(argv, env);
  return parsed.ok ? [] : toLines(parsed.fault);
}

const BYPASS = "--dangerously-bypass-approvals-and-sandbox";
const OLD_SPELLING =
  "[warn] --approvals 是旧写法, 已当作 --ask-for-approval never (old spelling of --ask-for-approval)";

/** Every option: its arguments, and what differs from the defaults. */
const OPTIONS: readonly (readonly [string, readonly string[], Partial<StartOptions>])[] = [
  ["--task", ["--task", "do it"], { sources: [{ kind: "text", text: "do it" }] }],
  ["-c", ["-c", "- a point"], { sources: [{ kind: "text", text: "- a point" }] }],
  ["--content", ["--content", "b"], { sources: [{ kind: "text", text: "b" }] }],
  ["-f", ["-f", "a.md"], { sources: [{ kind: "file", path: "a.md" }] }],
  ["--file", ["--file", "-"], { sources: [{ kind: "file", path: "-" }] }],
  ["--docs", ["--docs", "docs/**/*.md"], { sources: [{ kind: "file", path: "docs/**/*.md" }] }],
  ["--docs-dir", ["--docs-dir", "docs"], { sources: [{ kind: "folder", path: "docs" }] }],
  ["-F", ["-F", "base.md"], { baseFile: "base.md" }],
  ["--file-override", ["--file-override", "-"], { baseFile: "-" }],
  ["--prepend", ["--prepend", "p"], { sources: [{ kind: "prepend-text", text: "p" }] }],
  ["--append", ["--append", "a"], { sources: [{ kind: "append-text", text: "a" }] }],
  ["--prepend-file", ["--prepend-file", "p.md"], { sources: [{ kind: "prepend-file", path: "p.md" }] }],
  ["--append-file", ["--append-file", "a.md"], { sources: [{ kind: "append-file", path: "a.md" }] }],
  ["--patch-mode", ["--patch-mode"], { patchMode: true }],
  ["--with-context", ["--with-context"], { withContext: true }],
  ["--sandbox", ["--sandbox", "read-only"], { codexArgs: ["--sandbox", "read-only"] }],
  ["--ask-for-approval", ["--ask-for-approval", "never"], { codexArgs: ["--ask-for-approval", "never"] }],
  ["--approval-mode", ["--approval-mode", "never"], { codexArgs: ["--ask-for-approval", "never"] }],
  ["--approvals", ["--approvals", "never"], { codexArgs: ["--ask-for-approval", "never"], warnings: [OLD_SPELLING] }],
  ["--full-auto", ["--full-auto"], { codexArgs: ["--full-auto"] }],
  [BYPASS, [BYPASS], { codexArgs: [BYPASS] }],
  ["--profile", ["--profile", "dev"], { codexArgs: ["--profile", "dev"] }],
  ["--codex-config", ["--codex-config", 'a.b="c=d"'], { codexArgs: ["--config", 'a.b="c=d"'] }],
  ["--codex-arg", ["--codex-arg", "--json"], { codexArgs: ["--json"] }],
  ["-l", ["-l", "run.log"], { logFile: "run.log" }],
  ["--log-file", ["--log-file", "run.log"], { logFile: "run.log" }],
  ["--log-dir", ["--log-dir", "logs"], { logFolder: "logs" }],
  ["--tag", ["--tag", "a b"], { tag: "a b" }],
  ["--log-subdirs", ["--flat-logs", "--log-subdirs"], {}],
  ["--flat-logs", ["--flat-logs"], { isFlat: true }],
  ["--echo-instructions", ["--no-echo-instructions", "--echo-instructions"], {}],
  ["--no-echo-instructions", ["--no-echo-instructions"], { echoes: false }],
  ["--echo-limit", ["--echo-limit", "5"], { echoLimit: 5 }],
  ["--redact", ["--redact"], { redacts: true }],
  [
    "--redact-pattern",
    ["--redact", "--redact-pattern", "a[[:digit:]]+", "--redact-pattern", "b"],
    { redacts: true, redactPatterns: ["a[[:digit:]]+", "b"] },
  ],
  ["--no-aggregate", ["--no-aggregate"], { aggregates: false }],
  ["--aggregate-file", ["--aggregate-file", "a.txt"], { aggregateFile: "a.txt" }],
  ["--aggregate-jsonl-file", ["--aggregate-jsonl-file", "a.jsonl"], { aggregateJsonlFile: "a.jsonl" }],
  ["--json", ["--json"], { json: true }],
  ["--dry-run", ["--dry-run"], { dryRun: true }],
  ["--max-runs", ["--max-runs", "3"], { maxRuns: 3 }],
  ["--repeat-until", ["--repeat-until", "^CONTROL: DONE$"], { repeatUntil: "^CONTROL: DONE$" }],
  ["--sleep-seconds", ["--sleep-seconds", "0.5"], { sleepSeconds: 0.5 }],
  ["--no-carry-context", ["--no-carry-context"], { carriesContext: false }],
  ["--no-compress-context", ["--no-compress-context"], { compressesContext: false }],
  ["--context-head", ["--context-head", "7"], { contextHead: 7 }],
  ["--context-grep", ["--context-grep", "x", "--context-grep", "y|z"], { contextGrep: ["x", "y|z"] }],
  ["--no-overflow-retry", ["--no-overflow-retry"], { overflowRetries: 0 }],
  ["--overflow-retries", ["--overflow-retries", "4"], { overflowRetries: 4 }],
  [
    "--require-change-in",
    ["--require-change-in", "a/**", "--require-change-in", "b"],
    { requireChangeIn: ["a/**", "b"] },
  ],
  ["--require-git-commit", ["--require-git-commit"], { requireGitCommit: true }],
  ["--auto-commit-on-done", ["--auto-commit-on-done"], { autoCommit: true }],
  ["--auto-commit-message", ["--auto-commit-message", "m"], { autoCommitMessage: "m" }],
  ["--commit-hooks", ["--commit-hooks"], { commitHooks: true }],
  ["--timeout", ["--timeout", "90"], { timeoutSeconds: 90 }],
  ["--resume-thread", ["--resume-thread", "019-ab"], { resumeThread: "019-ab" }],
  ["--preset", ["--preset", "secure"], { redacts: true }],
  ["-h", ["-h", "--nonsense"], { help: true }],
  ["--help", ["--help"], { help: true }],
];

describe("[CNI-19] options of start.sh", () => {
  it.each(OPTIONS)("%s", (_, argv, differs) => {
    expect(parse(argv)).toEqual({ ...DEFAULTS, ...differs });
  });

  it("the table above has every option, and so has the usage text", () => {
    const names = START_OPTIONS.flatMap((option) => option.names);
    expect(OPTIONS.map(([name]) => name).sort()).toEqual([...names].sort());
    for (const usage of Object.values(START_USAGE)) {
      const words = new Set(usage.split(/[\s,]+/));
      expect(names.filter((name) => !words.has(name))).toEqual([]);
    }
  });

  it("nothing given is the defaults", () => {
    expect(parse([])).toEqual(DEFAULTS);
  });

  it.each(OPTIONS.filter(([name, argv]) => name.startsWith("--") && argv[0] === name && argv.length === 2))(
    "%s=value is the same",
    (name, [, value], differs) => {
      if (name === "--help") return;
      expect(parse([`${name}=${value}`])).toEqual({ ...DEFAULTS, ...differs });
    },
  );

  it("values keep what stands behind the first =, and may be another option's name", () => {
    expect(parse(["--task=a=b", "--task=--dry-run"]).sources).toEqual([
      { kind: "text", text: "a=b" },
      { kind: "text", text: "--dry-run" },
    ]);
  });

  it("-f and --docs take paths up to the next option, in order with texts", () => {
    expect(parse(["-f", "a", "-", "b", "--task", "t", "--docs", "c", "@list", "--json", "-f", "d"])).toEqual({
      ...DEFAULTS,
      json: true,
      sources: [
        { kind: "file", path: "a" },
        { kind: "file", path: "-" },
        { kind: "file", path: "b" },
        { kind: "text", text: "t" },
        { kind: "file", path: "c" },
        { kind: "file", path: "@list" },
        { kind: "file", path: "d" },
      ],
    });
  });

  it("everything for codex stays in the order given, whatever way it is named", () => {
    const argv = ["--codex-arg", "-m", "--sandbox", "read-only", "--codex-arg", "x", "--codex-config", "a=1"];
    expect(parse([...argv, "--profile", "p", "--", "--full-auto", "--", "--json", "-h"]).codexArgs).toEqual([
      ...["-m", "--sandbox", "read-only", "x", "--config", "a=1", "--profile", "p"],
      ...["--full-auto", "--", "--json", "-h"],
    ]);
  });

  it("later ones win, and an empty path or pattern takes a name back", () => {
    expect(parse(["-l", "a", "-l", "", "-F", "b", "-F", "", "--tag", "x", "--tag", "", "--repeat-until", ""])).toEqual(
      DEFAULTS,
    );
  });

  it("says that --redact-pattern alone does nothing", () => {
    expect(parse(["--redact-pattern", "x"]).warnings).toEqual([
      "[warn] --redact-pattern 未生效: 缺少 --redact (it does nothing without --redact)",
    ]);
    expect(parse(["--redact-pattern", "x"], { REDACT_ENABLE: "1" }).warnings).toEqual([]);
    expect(parse(["--redact-pattern", "x", "--preset", "secure"]).warnings).toEqual([]);
  });
});

describe("[CNI-19] presets", () => {
  const config = (pair: string) => ["--config", `execution.${pair}`];
  const sprint = [
    "--full-auto",
    ...config("auto_continue=true"),
    ...config("max_consecutive_steps=200"),
    ...config("timebox_minutes=60"),
  ];
  const fast = [...config("timebox_minutes=5"), ...config("max_consecutive_steps=20")];
  it.each<readonly [readonly string[], Partial<StartOptions>]>([
    [["--preset", "sprint"], { codexArgs: sprint }],
    [["--preset", "fast"], { codexArgs: fast }],
    [["--preset", "secure"], { redacts: true }],
    [["--preset", "analysis"], { echoLimit: 200 }],
    [["--echo-limit", "9", "--preset", "analysis"], { echoLimit: 9 }],
    [["--preset", "analysis", "--echo-limit", "0"], { echoLimit: 0 }],
    [["--preset", "secure", "--preset", "fast"], { redacts: true, codexArgs: fast }],
    // The caller's own arguments come after the preset's: codex uses the last one.
    [
      ["--codex-config", "execution.timebox_minutes=9", "--preset", "fast"],
      { codexArgs: [...fast, "--config", "execution.timebox_minutes=9"] },
    ],
    [
      ["--preset", "turbo\u001b[31m\n"],
      { warnings: ["[preset] 未知预设: turbo [31m (unknown; there are sprint, analysis, secure and fast)"] },
    ],
  ])("%j", (argv, differs) => {
    expect(parse(argv)).toEqual({ ...DEFAULTS, ...differs });
  });
});

describe("[CNI-19] variables that stand in for options", () => {
  it.each<readonly [Record<string, string>, Partial<StartOptions>]>([
    [{ CODEX_LOG_DIR: "d" }, { logFolder: "d" }],
    [{ CODEX_LOG_FILE: "f" }, { logFile: "f" }],
    [{ CODEX_LOG_TAG: "t" }, { tag: "t" }],
    [{ CODEX_LOG_SUBDIRS: "0" }, { isFlat: true }],
    [{ CODEX_LOG_SUBDIRS: "1" }, {}],
    [{ CODEX_LOG_AGGREGATE: "0" }, { aggregates: false }],
    [{ CODEX_LOG_AGGREGATE_FILE: "a" }, { aggregateFile: "a" }],
    [{ CODEX_LOG_AGGREGATE_JSONL_FILE: "a" }, { aggregateJsonlFile: "a" }],
    [{ CODEX_ECHO_INSTRUCTIONS: "0" }, { echoes: false }],
    [{ CODEX_ECHO_INSTRUCTIONS: "false" }, { echoes: false }],
    [{ CODEX_ECHO_INSTRUCTIONS_LIMIT: "3" }, { echoLimit: 3 }],
    [{ REDACT_ENABLE: "1" }, { redacts: true }],
    [{ REDACT_ENABLE: "true" }, { redacts: true }],
    [{ REDACT_ENABLE: "0" }, {}],
    [{ REDACT_REPLACEMENT: "<gone>" }, { replacement: "<gone>" }],
    [{ ON_CONTEXT_OVERFLOW_RETRY: "0" }, { overflowRetries: 0 }],
    [{ ON_CONTEXT_OVERFLOW_MAX_RETRIES: "5" }, { overflowRetries: 5 }],
    [{ ON_CONTEXT_OVERFLOW_RETRY: "0", ON_CONTEXT_OVERFLOW_MAX_RETRIES: "5" }, { overflowRetries: 0 }],
    [{ AUTO_COMMIT_MESSAGE: "m" }, { autoCommitMessage: "m" }],
    [{ CODEX_LOG_DIR: "", CODEX_LOG_FILE: "", CODEX_LOG_TAG: "", CODEX_LOG_SUBDIRS: "", REDACT_ENABLE: "" }, {}],
    [{ REDACT_REPLACEMENT: "", AUTO_COMMIT_MESSAGE: "", CODEX_ECHO_INSTRUCTIONS_LIMIT: "" }, {}],
  ])("%j", (env, differs) => {
    expect(parse([], env)).toEqual({ ...DEFAULTS, ...differs });
  });

  it("options win over them", () => {
    const env = {
      CODEX_LOG_FILE: "env.log",
      CODEX_LOG_TAG: "env",
      CODEX_LOG_SUBDIRS: "0",
      CODEX_ECHO_INSTRUCTIONS: "0",
      CODEX_ECHO_INSTRUCTIONS_LIMIT: "1",
      ON_CONTEXT_OVERFLOW_RETRY: "0",
    };
    const argv = ["-l", "a.log", "--tag", "t", "--log-subdirs", "--echo-instructions", "--echo-limit", "2"];
    expect(parse([...argv, "--overflow-retries", "1"], env)).toEqual({
      ...DEFAULTS,
      logFile: "a.log",
      tag: "t",
      echoLimit: 2,
      overflowRetries: 1,
    });
  });

  it("a preset leaves a limit alone that a variable names", () => {
    expect(parse(["--preset", "analysis"], { CODEX_ECHO_INSTRUCTIONS_LIMIT: "3" }).echoLimit).toBe(3);
  });
});

describe("[CNI-19] what is refused", () => {
  const needs: readonly (readonly [string, string])[] = [
    ["-f", "错误: -f/--file 需要至少一个路径参数"],
    ["--file", "错误: -f/--file 需要至少一个路径参数"],
    ["-F", "错误: -F/--file-override 需要一个路径参数"],
    ["-c", "错误: -c/--content 需要文本参数"],
    ["--task", "错误: --task 需要文本参数"],
    ["--docs", "错误: --docs 需要至少一个路径参数"],
    ["--docs-dir", "错误: --docs-dir 需要一个目录参数"],
    ["--prepend", "错误: --prepend 需要文本参数"],
    ["--append", "错误: --append 需要文本参数"],
    ["--prepend-file", "错误: --prepend-file 需要路径参数"],
    ["--append-file", "错误: --append-file 需要路径参数"],
    ["-l", "错误: -l/--log-file 需要一个路径参数"],
    ["--log-dir", "错误: --log-dir 需要一个目录参数"],
    ["--tag", "错误: --tag 需要一个名称参数"],
    ["--echo-limit", "错误: --echo-limit 需要一个数字参数"],
    ["--preset", "错误: --preset 需要一个名称 (sprint|analysis|secure|fast)"],
    ["--sandbox", "错误: --sandbox 需要一个值 (read-only|workspace-write|danger-full-access)"],
    ["--ask-for-approval", "错误: --ask-for-approval 需要一个策略 (untrusted|on-failure|on-request|never)"],
    ["--approval-mode", "错误: --approval-mode 需要一个策略 (untrusted|on-failure|on-request|never)"],
    ["--approvals", "错误: --approvals 需要一个策略 (untrusted|on-failure|on-request|never)"],
    ["--profile", "错误: --profile 需要一个配置名"],
    ["--codex-config", "错误: --codex-config 需要一个 key=value"],
    ["--codex-arg", "错误: --codex-arg 需要一个参数字符串"],
    ["--redact-pattern", "错误: --redact-pattern 需要一个正则参数"],
    ["--aggregate-file", "错误: --aggregate-file 需要一个路径参数"],
    ["--aggregate-jsonl-file", "错误: --aggregate-jsonl-file 需要一个路径参数"],
    ["--require-change-in", "错误: --require-change-in 需要一个路径通配符参数"],
    ["--auto-commit-message", "错误: --auto-commit-message 需要一个提交信息参数"],
    ["--repeat-until", "错误: --repeat-until 需要一个正则参数"],
    ["--max-runs", "错误: --max-runs 需要一个数字参数"],
    ["--sleep-seconds", "错误: --sleep-seconds 需要一个数字参数"],
    ["--context-head", "错误: --context-head 需要一个数字参数"],
    ["--context-grep", "错误: --context-grep 需要一个正则参数"],
    ["--overflow-retries", "错误: --overflow-retries 需要一个数字参数"],
    ["--timeout", "错误: --timeout 需要一个数字参数"],
    ["--resume-thread", "错误: --resume-thread 需要一个会话 id"],
  ];

  it.each(needs)("%s without a value", (name, line) => {
    expect(refuse([name])).toEqual([line]);
  });

  it("the list above has every option that takes a value", () => {
    const listed = new Set(needs.map(([name]) => name));
    const taking = START_OPTIONS.filter((option) => option.needs !== null);
    expect(taking.filter((option) => !option.names.some((name) => listed.has(name)))).toEqual([]);
  });

  it.each(needs.filter(([name]) => !["-f", "--file", "--docs", "--codex-arg"].includes(name)))(
    "%s followed by an option",
    (name, line) => {
      const long = { "-F": "--file-override", "-c": "--content", "-l": "--log-file" }[name] ?? name;
      const hint = `--dry-run is itself an option; if it is meant as the value, write ${long}=--dry-run`;
      expect(refuse([name, "--dry-run"])).toEqual([line, hint]);
      expect(refuse([name, "--", "x"])[0]).toBe(line);
    },
  );

  it("-f followed by an option, or by nothing that is a path", () => {
    expect(refuse(["-f", "--json"])).toEqual(["错误: -f/--file 需要至少一个路径参数"]);
    expect(refuse(["--docs", "a", ""])).toEqual(["错误: --docs 需要至少一个路径参数"]);
  });

  it("a value where none is taken", () => {
    expect(refuse(["--dry-run=no"])).toEqual(["错误: --dry-run 不需要值", "--dry-run takes no value"]);
    expect(refuse(["--help=x"])).toEqual(["错误: -h/--help 不需要值", "-h/--help takes no value"]);
  });

  it.each([
    ["--max-runs", "0", "a whole number from 1 to 10000"],
    ["--max-runs", "2.5", "a whole number from 1 to 10000"],
    ["--max-runs", "1e3", "a whole number from 1 to 10000"],
    ["--max-runs", "", "a whole number from 1 to 10000"],
    ["--echo-limit", "-1", "a whole number from 0 to 1000000000"],
    ["--context-head", "many", "a whole number from 0 to 1000000000"],
    ["--overflow-retries", "101", "a whole number from 0 to 100"],
    ["--sleep-seconds", "1s", "a number from 0 to 86400"],
    ["--timeout", "99999999", "a number from 0 to 2000000"],
    ["--timeout", "Infinity", "a number from 0 to 2000000"],
  ])("%s %s", (name, given, range) => {
    expect(refuse([name, given])).toEqual([`错误: ${name} 需要一个数字参数`, `${name} takes ${range}, not "${given}"`]);
  });

  it.each(["CODEX_ECHO_INSTRUCTIONS_LIMIT", "ON_CONTEXT_OVERFLOW_MAX_RETRIES"])("%s that is no number", (name) => {
    expect(refuse(["--json"], { [name]: "x" })[0]).toBe(`错误: ${name} 需要一个数字参数`);
    expect(parse(["--help"], { [name]: "x" }).help).toBe(true);
  });

  it.each(["--repeat-until", "--redact-pattern", "--context-grep"])("%s with a pattern that is none", (name) => {
    for (const given of ["(a", "[", "(?<=x)y", "(a)\\1", "*"]) {
      expect(refuse([name, given])).toEqual([
        `错误: ${name} 正则无效: ${given}`,
        `${name} takes a regular expression as grep -E does, without back references and look-around`,
      ]);
    }
  });

  it.each(["sandbox", "=x", ""])("--codex-config %j", (given) => {
    expect(refuse(["--codex-config", given])).toEqual([
      "错误: --codex-config 需要一个 key=value",
      `--codex-config takes key=value, not "${given}"`,
    ]);
  });

  it.each(["", "-x", "a b", "a\nb", "x".repeat(129)])("--resume-thread %j", (given) => {
    expect(refuse(["--resume-thread", given])[0]).toBe("错误: --resume-thread 需要一个会话 id");
  });

  it("an unknown option, with the nearest ones", () => {
    expect(refuse(["--json", "--sandbx", "read-only"])).toEqual([
      "❌ 未知参数: --sandbx",
      "💡 是否想使用以下参数？",
      "   --sandbox <mode>              read-only | workspace-write | danger-full-access",
      "   --task <text>                 任务描述, 同 -c",
      "   --tag <name>                  名称中的标签",
      "   --docs <path…>                同 -f",
      "   --docs-dir <dir>              目录下全部 Markdown (*.md, *.markdown), 递归",
      "📖 运行 --help 查看完整参数列表 (--help lists every option)",
    ]);
  });

  it.each(["--execute-remaining-tasks", "--unknown-parameter", "-x", "words", "", "-", "--task-file", "--=x"])(
    "%j: five suggestions, three of them always",
    (given) => {
      const lines = refuse([given]);
      expect(lines[0]).toBe(`❌ 未知参数: ${given === "--=x" ? "--" : given}`);
      expect(lines).toHaveLength(8);
      for (const name of ["--task ", "--docs ", "--docs-dir "]) expect(lines.join("\n")).toContain(`   ${name}`);
    },
  );

  it("shows an unknown option on one line, cut, and never what was written behind its =", () => {
    expect(refuse(["--\u001b[2J\napi-key=sk-secret"])[0]).toBe("❌ 未知参数: -- [2J api-key");
    expect(refuse([`--${"x".repeat(5_000)}`])[0]?.length).toBeLessThan(140);
  });
});

describe("reading options", () => {
  it("never throws, and is either options or lines", () => {
    const words = START_OPTIONS.flatMap((option) => option.names);
    const argument = fc.oneof(
      fc.constantFrom(...words, "--", "-", "1", "sprint"),
      fc.string(),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 12 }), fc.dictionary(fc.string(), fc.string()), (argv, env) => {
        const parsed = parseStartOptions(argv, env);
        if (parsed.ok) expect(Object.keys(parsed.value).sort()).toEqual(Object.keys(DEFAULTS).sort());
        else for (const line of toLines(parsed.fault)) expect(line).not.toMatch(/[\n\u001b]/);
      }),
      { numRuns: 500 },
    );
  });

  it("holds a very long command line", () => {
    const many = Array.from({ length: 300_000 }, (_, at) => `a${at}`);
    expect(parse(["--task", "t", "--", ...many]).codexArgs).toHaveLength(many.length);
    expect(parse(["-f", ...many]).sources).toHaveLength(many.length);
  });
});

describe.each(Object.entries(START_USAGE))("the usage text, %s", (_language, usage) => {
  it("[CNI-19] has a line with 用法:, names every variable of the contract, the exit codes and examples", () => {
    expect(usage).toMatch(/^用法: .*start\.sh /m);
    const variables = `CODEX_LOG_DIR CODEX_LOG_FILE CODEX_LOG_TAG CODEX_LOG_SUBDIRS CODEX_LOG_AGGREGATE
      CODEX_LOG_AGGREGATE_FILE CODEX_LOG_AGGREGATE_JSONL_FILE CODEX_SESSION_DIR CODEX_SESSIONS_ROOT
      CODEX_ECHO_INSTRUCTIONS CODEX_ECHO_INSTRUCTIONS_LIMIT REDACT_ENABLE REDACT_REPLACEMENT DEFAULT_APPROVAL_FOR_DFA
      ALLOW_DFA_WITH_NEVER DFA_DEGRADE_ON_NEVER DFA_DEGRADE_TARGET ON_CONTEXT_OVERFLOW_RETRY
      ON_CONTEXT_OVERFLOW_MAX_RETRIES AUTO_COMMIT_MESSAGE INSTRUCTIONS`;
    for (const name of variables.split(/\s+/)) expect(usage).toMatch(new RegExp(`\\b${name}\\b`));
    for (const code of ["0", "2", "124", "127"]) expect(usage).toMatch(new RegExp(`\\b${code} [a-z\\u4e00-\\u9fff]`));
  });

  it("fits 100 columns", () => {
    const wide = /[\u1100-\u115f\u2e80-\u303f\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/g;
    const width = (line: string) => line.length + (line.match(wide)?.length ?? 0);
    expect(usage.split("\n").filter((line) => width(line) > 100)).toEqual([]);
  });

  it("its examples are options that are taken", () => {
    const lines =
      usage
        .split(/Examples:|示例:/)[1]
        ?.split("\n")
        .filter((line) => line.startsWith("  ")) ?? [];
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const words = line.slice(line.indexOf("start.sh") + 9).match(/"[^"]*"|\S+/g) ?? [];
      expect(refuse(words.map((word) => word.replaceAll('"', "")))).toEqual([]);
    }
  });
});

describe("[H 9] the language of the usage text", () => {
  it("[CNI-19] decides the words only: the values are the same, and in the same order", () => {
    const valuesOf = (usage: string) => usage.replace(/^用法: LC_ALL.*/m, "").match(/\d+/g);
    expect(valuesOf(START_USAGE.english)).toEqual(valuesOf(START_USAGE.chinese));
  });

  it.each([
    [{}, "english"],
    [{ LANG: "en_US.UTF-8" }, "english"],
    [{ LANG: "zh_CN.UTF-8" }, "chinese"],
    [{ LANG: "zh_CN.UTF-8", LC_ALL: "C" }, "english"],
    [{ LANG: "C", LC_MESSAGES: "zh_TW.UTF-8" }, "chinese"],
  ] as const)("%j: %s", (env, language) => {
    expect(startUsage(env)).toBe(START_USAGE[language]);
  });
});
