import { CLIENT_IDS, CLIENT_NAMES, CLIENTS } from "../contract/clients.ts";

/** An environment variable that is read but is not a setting: no file can set it. */
export interface VariableRow {
  /** Its name, or several; a part in angle brackets is a placeholder. */
  readonly name: string;
  /** Default, in words; absent if an unset variable has no effect. */
  readonly usual?: string;
  readonly doc: string;
}

/** Complements the settings table: together with `SETTINGS` it names every variable that is read, by group. */
export const VARIABLES: Readonly<Record<"run" | "jobs" | "system" | "internal", readonly VariableRow[]>> = {
  /** Determine what a run does. */
  run: [
    { name: "WORKING_DIRECTORY", usual: "the current folder", doc: "folder to work in" },
    {
      name: "CI_AUTO_TOOLS_CI_<TOOL>_<INPUT>",
      doc: "an input asked of a tool in every plan, e.g. CI_AUTO_TOOLS_CI_SEARCH_LIMIT; clamped",
    },
    {
      name: "CI_AUTO_TOOLS_RUNNER_<TOOL>",
      doc: "a program that answers in place of a tool; it gets CI_TOOL_NAME, CI_TOOL_PROMPT, CI_TOOL_ARGS_JSON and CI_TOOL_REPO_ROOT, and its JSON on stdout is the result",
    },
    {
      name: "CI_AUTO_TOOLS_ORCHESTRATOR_PATH",
      doc: "a program that takes the place of the orchestrator; it gets CI_ORCH_CLIENT_NAME and CI_ORCH_CLIENT_EVENT",
    },
    { name: "CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE", doc: "a JSON array used as the tools' results, for tests" },
    { name: "CI_AUTO_TOOLS_PRINT_STDERR_SUMMARY", usual: "0", doc: "1 = the hook also prints the summary to stderr" },
    {
      name: "CI_ORCH_CLIENT_NAME",
      usual: "claude-code",
      doc: `the client that asks: ${CLIENT_NAMES.join(", ")}`,
    },
    { name: "CI_ORCH_CLIENT_EVENT", usual: "cli", doc: "the event it runs at: UserPromptSubmit or cli" },
    { name: "CLAUDE_PROJECT_DIR", doc: "set by Claude Code: the folder that its MCP servers work for" },
    {
      name: CLIENT_IDS.flatMap((id) => CLIENTS[id].homeVariable || []).join(", "),
      usual: "the client's folder in the home folder",
      doc: "variables of the clients, from which install finds their folders; opencode's is in XDG_CONFIG_HOME",
    },
    { name: "GROUNDWORK_BASE_KEY", doc: "the private key that base publish signs with, where --key is not given" },
    { name: "GROUNDWORK_BASE_TOKEN", doc: "sent to the store of bases as a bearer token, if the store is a server" },
    {
      name: "GROUNDWORK_TEAM_DATABASE",
      doc: "address of the team's database, for serve and team where --database is not given",
    },
    {
      name: "GROUNDWORK_TEAM_URL",
      doc: "address of your team's server: https, or http on this machine",
    },
    { name: "GROUNDWORK_TEAM_TOKEN", doc: "your token for it, as team token create prints it" },
    { name: "GROUNDWORK_HOME", usual: "groundwork in XDG_CACHE_HOME or in ~/.cache", doc: "folder for state" },
    {
      name: "GROUNDWORK_CODE_CACHE",
      usual: "code in the state folder",
      doc: "folder for V8's code caches of our programs",
    },
    {
      name: "GROUNDWORK_OTEL",
      usual: "0",
      doc: "1 = traces of runs and tool calls go to your own OpenTelemetry endpoint (docs/telemetry.md); names, counts and times, never a text",
    },
    {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
      usual: "http://localhost:4318",
      doc: "where to: https, or on this machine; the first gets /v1/traces added",
    },
    {
      name: "OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TRACES_HEADERS",
      doc: "headers that go along, key=value with commas",
    },
    {
      name: "OTEL_EXPORTER_OTLP_TIMEOUT, OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
      usual: "10000",
      doc: "milliseconds for sending; lowered to the default if higher",
    },
    {
      name: "OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
      usual: "http/json",
      doc: "grpc = nothing is sent",
    },
    {
      name: "OTEL_EXPORTER_OTLP_CERTIFICATE, OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE",
      doc: "a file with certificates that are trusted besides the usual ones",
    },
    {
      name: "OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES",
      usual: "groundwork",
      doc: "name of the sender, and further attributes",
    },
    { name: "OTEL_SDK_DISABLED", usual: "false", doc: "true = nothing is sent" },
    {
      name: "GROUNDWORK_NODE",
      usual: "the node we were installed with, else one on PATH",
      doc: "path of the node that runs us",
    },
  ],
  /** Read by start.sh, job.sh and the MCP server for Codex jobs. */
  jobs: [
    { name: "CODEX_LOG_DIR", doc: "folder of the runs, as --log-dir" },
    { name: "CODEX_LOG_FILE", doc: "the log of this run, as --log-file" },
    { name: "CODEX_LOG_TAG", doc: "part of the run's name, as --tag" },
    { name: "CODEX_LOG_SUBDIRS", usual: "1", doc: "0 = no folder for each run, as --flat-logs" },
    { name: "CODEX_LOG_AGGREGATE", usual: "1", doc: "0 = no list of all runs is kept" },
    { name: "CODEX_LOG_AGGREGATE_FILE", usual: "aggregate.txt", doc: "that list, as text" },
    { name: "CODEX_LOG_AGGREGATE_JSONL_FILE", usual: "aggregate.jsonl", doc: "that list, as JSON lines" },
    { name: "CODEX_SESSION_DIR", doc: "folder for this run alone" },
    { name: "CODEX_SESSIONS_ROOT", usual: ".codex-father/sessions", doc: "folder that holds a folder for each run" },
    { name: "CODEX_ECHO_INSTRUCTIONS", usual: "1", doc: "0 = the log does not repeat the instructions" },
    { name: "CODEX_ECHO_INSTRUCTIONS_LIMIT", usual: "0", doc: "maximum number of their lines in the log; 0 = all" },
    { name: "CODEX_START_SH", doc: "a program that takes the place of start.sh" },
    { name: "CODEX_JOB_SH", doc: "a program that takes the place of job.sh" },
    { name: "MCP_TS_SERVER", doc: "a program file that takes the place of the MCP server for Codex jobs" },
    { name: "INSTRUCTIONS", doc: "the task, where no option and no file names one" },
    { name: "REDACT_ENABLE", usual: "0", doc: "1 = logs hold no secrets, as --redact" },
    { name: "REDACT_REPLACEMENT", usual: "***REDACTED***", doc: "replacement for a secret" },
    { name: "AUTO_COMMIT_MESSAGE", usual: "docs(progress): auto update", doc: "message of --auto-commit-on-done" },
    { name: "AUTO_COMMIT_HOOKS", usual: "0", doc: "1 = that commit runs the repository's hooks, as --commit-hooks" },
    { name: "ON_CONTEXT_OVERFLOW_RETRY", usual: "1", doc: "0 = no second try where the context was too long" },
    { name: "ON_CONTEXT_OVERFLOW_MAX_RETRIES", usual: "2", doc: "maximum number of such tries" },
    {
      name: "DEFAULT_APPROVAL_FOR_DFA",
      usual: "on-request",
      doc: "approval policy for full access, if none is given",
    },
    { name: "ALLOW_DFA_WITH_NEVER", usual: "0", doc: "1 = full access with never becomes the bypass; for containers" },
    { name: "DFA_DEGRADE_ON_NEVER", usual: "1", doc: "1 = full access with never is lowered; else it is refused" },
    {
      name: "DFA_DEGRADE_TARGET",
      usual: "workspace-write",
      doc: "the level it is lowered to: workspace-write or read-only",
    },
  ],
  /** Variables of the system and of git. */
  system: [
    { name: "HOME", doc: "your home: settings, hooks and trust are kept in ~/.groundwork" },
    { name: "PWD", doc: "the current folder, for the resident, which has another" },
    { name: "PATH", doc: "folders searched for git, codex and servers; those inside the repository are skipped" },
    { name: "XDG_CACHE_HOME", usual: "~/.cache", doc: "folder for state, in groundwork/ below it" },
    {
      name: "XDG_RUNTIME_DIR",
      doc: "folder for the resident's socket if its path below the state folder would be too long; else TMPDIR",
    },
    { name: "XDG_CONFIG_HOME", usual: "~/.config", doc: "folder of git's own settings, for --auto-commit-on-done" },
    { name: "GIT_CONFIG_GLOBAL", doc: "the same, by the name of the file" },
    { name: "GIT_AUTHOR_<FIELD>", doc: "who commits (NAME, EMAIL, DATE), for --auto-commit-on-done" },
    { name: "GIT_COMMITTER_<FIELD>", doc: "the same" },
    { name: "EMAIL", doc: "the same, where git has no other" },
    {
      name: "NODE_EXTRA_CA_CERTS",
      doc: "Node's own: a file with certificates that are trusted besides the usual ones, for your team's server",
    },
    { name: "LC_MESSAGES", doc: "with LC_ALL and LANG: the language of start.sh --help, English or Chinese" },
    {
      name: "NO_COLOR",
      doc: "anything = no colours on a terminal, and no faint letters in the loop of codex-auto; --color wins",
    },
    {
      name: "LANG, LC_ALL, LOGNAME, SHELL, TERM, TMPDIR, TZ, USER",
      doc: "passed on to your MCP servers, which get nothing else but HOME, PATH and what their settings name; TERM=dumb means no colours",
    },
  ],
  /** Set by our programs for one another, never by the user. */
  internal: [
    {
      name: "GROUNDWORK_DOOR",
      doc: "set by the hook's door for itself, where the resident did not answer: node or empty",
    },
    { name: "GROUNDWORK_START_ROOT", doc: "set by start.sh: the parent folder of its runs" },
    { name: "GROUNDWORK_CALL", doc: "marks every program that a call starts, so that none outlives it" },
    { name: "GROUNDWORK_JOB", doc: "marks every program of a Codex job, so that it can be stopped" },
    { name: "GROUNDWORK_TRACE", doc: "set for the process that sends a trace: the source of the trace" },
    { name: "GROUNDWORK_TOOL_CONTEXT", doc: "set for tool hooks: the call, as JSON" },
  ],
};

/** True if a row describes the variable of that name. */
export function isRowOf({ name }: VariableRow, variable: string): boolean {
  return new RegExp(`^(?:${name.replaceAll(", ", "|").replace(/<\w+>/g, "[A-Z0-9_]+")})$`).test(variable);
}
