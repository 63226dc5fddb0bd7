/** The parsed command line of codex-auto. */
export interface CodexArguments {
  readonly help: boolean;
  readonly version: boolean;
  /** True if stdout must start with the run document. */
  readonly printsDocument: boolean;
  /** Environment variables for the settings that were given as options. */
  readonly env: Readonly<Record<string, string>>;
  /** Options of the background job, without the prompt; null if no job was requested. */
  readonly job: readonly string[] | null;
  /** Words of the prompt; empty if prompts are read from standard input. */
  readonly words: readonly string[];
  /** Error in the command line; empty if there is none. */
  readonly error: string;
}

/** Usage text of codex-auto. */
export const CODEX_USAGE = `Usage: codex-auto [options] <prompt…>
       codex-auto [options] -          the whole of standard input is one prompt
       codex-auto [options]            a loop at a terminal (/help there says more);
                                       each line of a piped input is one round

Looks up the code that a prompt is about, then hands prompt and evidence to
"codex exec resume --last" (or "codex exec"). stdout is codex's answer; what was
looked up and left out goes to stderr. The loop at a terminal begins a session and
goes on in it by its id, so that two terminals do not mix.

  --mode plan|run                 plan = print the run document, start nothing
  --dry-run                       the same as --mode plan
  --session-mode resume_last|exec go on in the newest session (default, but for the
                                  loop), or start a new one for each prompt
  --json, --exec                  print the run document before codex's answer
  --background                    start a job with prompt and evidence, and return at
                                  once ("groundwork codex --help" shows what then)
  --sandbox MODE                  what such a job may do: read-only, workspace-write or
                                  danger-full-access
  -v, --version
  -h, --help

Without an orchestrator codex gets the plain prompt, and stderr says so.

Exit code: codex's own; 1 no prompt, 40 no codex, 10 --dry-run without an
orchestrator. The loop's is 0.
A job's are those of job.sh. codex-auto adds no sandbox, approval or session id of its own
(the loop names its own session).
`;

const VALUES: Readonly<Record<string, { readonly env: string; readonly accepted: readonly string[] }>> = {
  "--mode": { env: "CI_AUTO_TOOLS_MODE", accepted: ["plan", "run"] },
  "--session-mode": { env: "CI_CODEX_SESSION_MODE", accepted: ["resume_last", "exec"] },
};

/** Parses the command line. Contract: everything after `--` is prompt. */
export function parseCodexArguments(argv: readonly string[]): CodexArguments {
  const env: Record<string, string> = {};
  const words: string[] = [];
  const flags = new Set<string>();
  let sandbox = "";
  let error = "";
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] ?? "";
    const valued = VALUES[argument];
    if (argument === "--") {
      words.push(...argv.slice(at + 1));
      break;
    }
    if (valued !== undefined) {
      const value = argv[++at] ?? "";
      if (valued.accepted.includes(value)) env[valued.env] = value;
      else error ||= `${argument} takes ${valued.accepted.join(" or ")}`;
    } else if (argument === "--sandbox") {
      sandbox = argv[++at] ?? "";
      if (sandbox === "") error ||= "--sandbox takes read-only, workspace-write or danger-full-access";
    } else if (argument === "--dry-run") env["CI_AUTO_TOOLS_DRY_RUN"] = "1";
    else if (FLAGS.has(argument)) flags.add(argument);
    else if (argument.startsWith("-") && argument !== "-")
      error ||= `unknown option ${argument}; put -- before a prompt that starts with a dash`;
    else words.push(argument);
  }
  const isJob = flags.has("--background");
  if (isJob && Object.keys(env).length > 0) error ||= "--background goes with --sandbox and --json alone";
  if (isJob && words.length === 0) error ||= "--background needs a prompt";
  if (!isJob && sandbox !== "") error ||= "--sandbox is for --background; codex's own configuration decides otherwise";
  return {
    job: isJob ? [...(sandbox === "" ? [] : ["--sandbox", sandbox]), ...(flags.has("--json") ? ["--json"] : [])] : null,
    help: flags.has("--help") || flags.has("-h"),
    version: flags.has("--version") || flags.has("-v"),
    printsDocument: flags.has("--json") || flags.has("--exec"),
    env,
    words,
    error,
  };
}

const FLAGS = new Set(["--help", "-h", "--version", "-v", "--json", "--exec", "--background"]);
