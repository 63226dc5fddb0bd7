import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "./job-start.ts";

/**
 * A program in start.sh's place: writes the log that `--log-file` names, waits as long as `--hold` says (in seconds), and
 * ends with the code of `--code`; asked to end it says so in its log and ends with 143.
 */
export function makeStub(folder: string): Program {
  const file = join(folder, "start-stub.sh");
  writeFileSync(
    file,
    `#!/bin/sh
hold=0 code=0 said=
while [ $# -gt 0 ]; do
  case $1 in
    --log-file) log=$2; shift ;;
    --hold) hold=$2; shift ;;
    --code) code=$2; shift ;;
    --say) said=$2; shift ;;
  esac
  shift
done
end() { printf '%s\\n' '----- End Codex Output -----' "Exit Code: $1" '===== Codex Run End =====' >>"$log"; exit "$1"; }
trap 'kill $waits; end 143' TERM
printf '%s\\n' '===== Codex Run Start: stub =====' '----- Begin Codex Output -----' >"$log"
[ -n "$said" ] && printf '%s\\n' "$said" >>"$log"
sleep "$hold" & waits=$!
wait $waits
end "$code"
`,
  );
  chmodSync(file, 0o755);
  return { command: file, args: [] };
}
