import type { Environment } from "../base/environment.ts";
import { isExecutable } from "../base/find-program.ts";
import { runProgram } from "../base/subprocess/run-program.ts";
import { isRecord, sliceBytes, sliceWhole } from "../base/text.ts";
import { type Fault, fail, type Outcome, succeed } from "../contract/faults.ts";
import type { ToolAnswer, ToolContext } from "../contract/tool.ts";

interface RunnerCall {
  readonly program: string;
  readonly tool: string;
  readonly prompt: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly env: Environment;
}

const MAX_STDOUT_BYTES = 50_000;
const MAX_STDERR_BYTES = 20_000;
const MAX_PROMPT_BYTES = 100_000;

/** Environment variable that holds the path of the program that replaces a tool. */
export function runnerVariable(tool: string): string {
  return `CI_AUTO_TOOLS_RUNNER_${tool.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/** Answer of a runner, with a fault if its output is broken but still worth showing. */
export interface RunnerAnswer extends ToolAnswer {
  readonly fault?: Fault;
  readonly cut: boolean;
}

/** Runs the program that replaces a tool. Contract: never throws; no process that it starts outlives the call. */
export async function runRunner(call: RunnerCall, context: ToolContext): Promise<Outcome<RunnerAnswer>> {
  if (!isExecutable(call.program)) {
    return fail(
      "E_TOOL_UNAVAILABLE",
      `${call.program} is not an executable file`,
      `check ${runnerVariable(call.tool)}`,
    );
  }
  const done = await runProgram({
    command: call.program,
    args: [],
    cwd: context.root,
    env: {
      ...call.env,
      CI_TOOL_NAME: call.tool,
      // A NUL cannot be passed in the environment.
      CI_TOOL_PROMPT: sliceBytes(call.prompt.replaceAll("\0", ""), MAX_PROMPT_BYTES),
      CI_TOOL_ARGS_JSON: JSON.stringify(call.args),
      CI_TOOL_REPO_ROOT: context.root,
    },
    stdin: "",
    signal: context.signal,
    maxStdoutBytes: MAX_STDOUT_BYTES,
    maxStderrBytes: MAX_STDERR_BYTES,
  });
  if (context.signal.aborted) return fail("E_TIMEOUT", "ended at its time limit");
  if (done.startError !== "") return fail("E_TOOL_UNAVAILABLE", `could not start: ${done.startError}`);
  if (done.exitCode !== 0) {
    const why = done.exitCode === null ? "was ended by a signal" : `ended with exit code ${done.exitCode}`;
    return fail("E_TOOL_UNAVAILABLE", [why, firstLine(done.stderr)].filter(Boolean).join(": "));
  }
  return succeed(toAnswer(done.stdout, done.stderr, done.cut));
}

function toAnswer(stdout: string, stderr: string, cut: boolean): RunnerAnswer {
  const text = stdout.trim();
  try {
    const value: unknown = JSON.parse(text);
    const data = isRecord(value) ? value : { value };
    return { summary: summarise(data), data, cut };
  } catch {
    const answer = { summary: firstLine(stdout), data: { stdout_text: stdout, stderr_text: stderr }, cut };
    if (!/^[{[]/.test(text)) return answer;
    return { ...answer, fault: { code: "E_PARSE", message: "output starts like JSON but cannot be parsed" } };
  }
}

function summarise(data: Record<string, unknown>): string {
  if (typeof data["summary"] === "string") return firstLine(data["summary"]);
  const candidates = data["candidates"];
  if (!Array.isArray(candidates)) return firstLine(JSON.stringify(data));
  const metadata = isRecord(data["metadata"]) ? data["metadata"] : {};
  const provider = metadata["provider"] ?? data["source"] ?? "runner";
  const top = candidates.slice(0, 3).map((item) => (isRecord(item) ? (item["file"] ?? item["file_path"] ?? "?") : "?"));
  return `provider=${provider} candidates=${candidates.length} top=${top.join(",")}`;
}

function firstLine(text: string): string {
  return sliceWhole((text.trimStart().split("\n", 1)[0] ?? "").trim(), 500).toWellFormed();
}
