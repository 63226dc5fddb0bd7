import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findProgram, isExecutable } from "../../base/find-program.ts";
import { toSha256 } from "../../base/hash.ts";
import { applySteps } from "../apply.ts";
import type { ClientFiles } from "../clients/client-install.ts";
import { isSameFile, readFileState } from "../file-state.ts";
import { doorOf, isOurLauncher } from "../launcher.ts";
import { checkOf, type Remedy, type UngroupedCheck } from "./ungrouped-check.ts";
import type { World } from "./world.ts";

/** Program that a hook's command runs. */
interface HookTarget {
  readonly check: UngroupedCheck;
  /** True for a program of ours that can safely be asked a question. */
  readonly isOurs: boolean;
}

const CHECK = checkOf("hook", "a script of this installation");
/** Absolute paths in a command that are not the hook: its shell, `env`, and the target of redirections. */
const NOT_THE_HOOK = /^(?:\/(?:usr\/)?bin\/(?:env|(?:ba|da|z|k)?sh)|\/dev\/null)$/;
const INSTALL: Remedy = { text: 'run "groundwork install"', section: "the-hook-leads-nowhere" };

/** Resolves a hook's command to the program that it runs. Contract: read-only. */
export function followHook(command: string, files: ClientFiles, world: World): HookTarget {
  const path = findPath(command, files, world);
  if (path === null) return broken(`${command}: its program is not on the PATH`);
  const file = readFileState(path);
  if (file.kind === "absent") return broken(`${path} is gone`);
  if (file.kind === "blocked") return broken(`${path} ${file.why}`);
  if (!isExecutable(path)) return broken(`${path} is not executable`);
  const content = file.bytes.toString("utf8");
  if (!isOurLauncher(content)) return judgeDoor(path);
  const door = readDoor(content);
  const { program } = doorOf(files.client, world.projectRoot);
  if (!isExecutable(door)) {
    const mend = path === files.launcher ? () => rewrite(files, file.bytes, world) : undefined;
    const text = mend === undefined ? INSTALL.text : 'run "groundwork doctor --fix" or "groundwork install"';
    return broken(`${path} points to ${door || "nothing"}, which does not exist`, { ...INSTALL, text, mend });
  }
  if (isSameFile(door, program)) return { check: CHECK.fine(path), isOurs: true };
  return { check: CHECK.poor("warn", `${path} leads to another installation, ${door}`, INSTALL), isOurs: true };
}

function broken(measured: string, remedy: Remedy = INSTALL): HookTarget {
  return { check: CHECK.poor("fail", measured, remedy), isOurs: false };
}

/** Path of the file that a command runs; null if it cannot be found. */
function findPath(command: string, { launcher }: ClientFiles, { home, env }: World): string | null {
  const words = splitWords(command);
  if (words.includes(launcher)) return launcher;
  const paths = words.map((word) => word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, () => home ?? ""));
  const named = paths.find((word) => word.startsWith("/") && !NOT_THE_HOOK.test(word));
  if (named !== undefined) return named;
  const bare = words.find((word) => word === "groundwork" || word === "npx");
  return bare === undefined ? null : findProgram(bare, env["PATH"] ?? "", null);
}

/** Splits a command into words as a shell would, without expanding variables. */
function splitWords(command: string): string[] {
  const words = command.match(/(?:[^\s'"\\]+|\\.|'[^']*'|"(?:\\.|[^"\\])*")+/g) ?? [];
  return words.map((word) =>
    word.replace(
      /\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"/g,
      (_all, one, plain, quoted) => one ?? plain ?? String(quoted).replace(/\\(.)/g, "$1"),
    ),
  );
}

/** A script of ours that is called without a launcher is recognised by the scripts beside it. */
function judgeDoor(path: string): HookTarget {
  try {
    const real = realpathSync(path);
    const isOurs = existsSync(join(dirname(real), "..", "hooks", "lib", "door.sh"));
    if (isOurs || basename(real).startsWith("npx")) return { check: CHECK.fine(path), isOurs };
  } catch {
    // The file was removed in the meantime.
  }
  return { check: CHECK.poor("warn", `${path} is not one of our scripts`, INSTALL), isOurs: false };
}

function readDoor(launcher: string): string {
  const [, written = ""] = /^door=(.*)$/m.exec(launcher) ?? [];
  return splitWords(written)[0] ?? "";
}

/** Points a launcher of ours to this installation. Contract: a file that has changed in the meantime is left alone. */
function rewrite({ launcher, own }: ClientFiles, seen: Buffer, { projectRoot, node }: World): string {
  const file = own.find(({ path }) => path === launcher);
  const bytes = file?.make({ root: projectRoot, node }) ?? null;
  if (file === undefined || bytes === null) return `${launcher} was left as it is`;
  const { path, mode } = file;
  const done = applySteps([{ kind: "write", path, bytes, mode, expect: toSha256(seen) }]);
  return done.ok ? `${launcher} leads to this installation now` : done.fault.message;
}
