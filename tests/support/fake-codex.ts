import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { makeFolder } from "./temp-folder.ts";

/** A replacement for Codex, for behaviour that the real one cannot be made to show. */
export interface FakeCodex {
  /** The folder `$here` of its body. */
  readonly folder: string;
  /** A PATH with this program first. */
  readonly path: string;
  /** Number of calls, not counting those for its version. */
  readonly calls: () => number;
  /** Arguments and standard input of a call, counted from 1. */
  readonly args: (call: number) => readonly string[];
  readonly stdin: (call: number) => string;
}

/**
 * Makes a `codex` that runs `body` in a shell: `$n` is the number of the call (unique even for concurrent calls),
 * `$last` the file for the last message, `$here` its own folder. `version` is its answer to `--version`; null means
 * that it does not know that option.
 */
export function makeFakeCodex(body: string, version: string | null = "codex-cli 0.166.0"): FakeCodex {
  const folder = makeFolder();
  const told = version === null ? "" : `[ "$1" = --version ] && { echo '${version}'; exit 0; }`;
  const script = `#!/bin/sh
here='${folder}'
${told}
n=1; until mkdir "$here/call.$n" 2>/dev/null; do n=$((n + 1)); done
echo x >>"$here/calls"
printf '%s\\0' "$@" >"$here/args.$n"
for arg; do [ "$before" = --output-last-message ] && last=$arg; before=$arg; done
cat >"$here/stdin.$n"
${body}
`;
  writeFileSync(join(folder, "codex"), script);
  chmodSync(join(folder, "codex"), 0o755);
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return {
    folder,
    path: [folder, process.env["PATH"]].join(delimiter),
    calls: () => (existsSync(join(folder, "calls")) ? read("calls").trim().split("\n").length : 0),
    args: (call) => read(`args.${call}`).split("\0").slice(0, -1),
    stdin: (call) => read(`stdin.${call}`),
  };
}
