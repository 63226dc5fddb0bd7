// All programs of dist/: name of the bundle → its source.

const fromEntry = (...names) => Object.fromEntries(names.map((name) => [name, `src/entry/${name}.ts`]));

/** Started by a shell door or by another program, or loaded by `loadCached`. */
export const PROGRAMS = {
  ...fromEntry("hook", "hook-judge", "hook-answer", "orchestrator", "statusline", "otel", "send-figures"),
  ...fromEntry("cli", "command-line", "library", "build-index", "index-worker"),
  ...fromEntry("mcp", "mcp-server", "mcp-tools"),
  ...fromEntry("resident", "resident-worker", "make-code-cache"),
  ...fromEntry("codex-auto", "codex-start", "codex-job", "codex-mcp"),
};

/** Loaded by `import()`, so that only runs that need one (for a settings file, code, a server) pay for loading it. */
export const LOADED_LATER = {
  yaml: "yaml",
  "changed-code": "src/engine/changed-code.ts",
  "compare-meaning": "src/engine/compare-meaning.ts",
  "find-pattern": "src/engine/find-pattern.ts",
  "mcp-client": "src/tools/external/mcp-client.ts",
  investigation: "src/tools/investigation.ts",
  "model-agent": "src/tools/model-agent.ts",
  ...fromEntry("codex-context", "run-build", "ui-command", "serve-command", "team-command"),
  ...fromEntry("worker-command", "team-jobs-command"),
};
