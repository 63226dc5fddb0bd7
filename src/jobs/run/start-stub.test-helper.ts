import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { systemClock } from "../../base/clock.ts";
import type { JobDeps, Program } from "../job/start.ts";

/**
 * A stub for start.sh: writes the log named by `--log-file`, waits for `--hold` seconds in a process that carries the
 * run's mark, and exits with the code in `--code`; on SIGTERM it ends that process, writes its end to the log and exits
 * with 143. With `--reserve` it keeps an outcome as our runs do.
 */
const STUB = `#!/bin/sh
hold=0 code=0 said= reserve= deaf=
while [ $# -gt 0 ]; do
  case $1 in
    --log-file) log=$2; shift ;;
    --hold) hold=$2; shift ;;
    --code) code=$2; shift ;;
    --say) said=$2; shift ;;
    --reserve) reserve=1 ;;
    --deaf) deaf=1 ;;
    --bad) echo 'unknown option' >&2; exit 2 ;;
  esac
  shift
done
folder=\${log%/*}
end() {
  [ -n "$reserve" ] && printf '{"exit_code":%s,"classification":"tool_error","tokens_used":"5","title":"said","reason":"r"}' "$1" >"$folder/outcome.json"
  printf '%s\\n' '----- End Codex Output -----' "Exit Code: $1" '===== Codex Run End =====' >>"$log"
  exit "$1"
}
if [ -n "$deaf" ]; then trap '' TERM; else trap 'kill $waits; end 143' TERM; fi
[ -n "$reserve" ] && printf '%100s\\n' '' >"$folder/outcome.json"
printf '%s\\n' '===== Codex Run Start: stub =====' '----- Begin Codex Output -----' >"$log"
[ -n "$said" ] && printf '%s\\n' "$said" >>"$log"
[ -t 0 ] || cat >>"$log"
GROUNDWORK_JOB=$folder setsid sleep "$hold" 3>&- & waits=$!
wait $waits
end "$code"
`;

/** Creates the program in a folder. */
export function makeStub(folder: string): Program {
  const file = join(folder, "start-stub.sh");
  writeFileSync(file, STUB);
  chmodSync(file, 0o755);
  return { command: file, args: [] };
}

/** Dependencies of jobs, with real programs: the stub, and our own settle program. */
export function makeJobDeps(folder: string): JobDeps {
  const bundle = join(folder, "codex-job.cjs");
  buildSync({
    entryPoints: [join(import.meta.dirname, "../../entry/codex-job.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["@photostructure/sqlite"],
    // Node resolves the database relative to the importing module, which must be the sources here.
    define: { "import.meta.dirname": JSON.stringify(import.meta.dirname) },
    logLevel: "error",
  });
  return {
    env: { PATH: process.env["PATH"], HOME: folder },
    clock: systemClock,
    startProgram: makeStub(folder),
    settleProgram: { command: process.execPath, args: [bundle, "settle"] },
  };
}
