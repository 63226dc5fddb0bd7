import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { type HostileGround, makePipe } from "./hostile-repo.ts";
import { writeFiles } from "./temp-folder.ts";

/** Settings of `.git/config` that name a program, as section and key. */
const CONFIG_TRAPS = [
  ["core", "fsmonitor"],
  ["core", "pager"],
  ["core", "editor"],
  ["core", "sshCommand"],
  ["core", "askPass"],
  ["core", "gitProxy"],
  ["core", "alternateRefsCommand"],
  ["sequence", "editor"],
  ["pager", "log"],
  ["pager", "ls-tree"],
  ["pager", "status"],
  ["pager", "blame"],
  ['filter "any"', "clean"],
  ['filter "any"', "smudge"],
  ['filter "any"', "process"],
  ["diff", "external"],
  ['diff "any"', "command"],
  ['diff "any"', "textconv"],
  ['merge "any"', "driver"],
  ['mergetool "any"', "cmd"],
  ['difftool "any"', "cmd"],
  ["gpg", "program"],
  ['gpg "openpgp"', "program"],
  ['gpg "x509"', "program"],
  ['gpg "ssh"', "program"],
  ['gpg "ssh"', "defaultKeyCommand"],
  ['remote "origin"', "uploadpack"],
  ['remote "origin"', "receivepack"],
  ["uploadpack", "packObjectsHook"],
  ["interactive", "diffFilter"],
  ["imap", "tunnel"],
  ["sendemail", "sendmailCmd"],
  ['trailer "any"', "command"],
  ['trailer "any"', "cmd"],
  ['browser "any"', "cmd"],
  ['man "any"', "cmd"],
  ['tar "tar.gz"', "command"],
  ['guitool "any"', "cmd"],
] as const;

/** Settings whose value is a program after a prefix. */
const MARKED_TRAPS = [
  ["credential", "helper", "!"],
  ['credential "https://example.org"', "helper", "!"],
  ["alias", "log", "!"],
  ["alias", "ls-tree", "!"],
  ["alias", "status", "!"],
  ['submodule "any"', "update", "!"],
  ['remote "origin"', "url", "ext::"],
  ['remote "origin"', "pushurl", "ext::"],
] as const;

const HOOKS = [
  ...["pre-commit", "post-commit", "post-checkout", "post-index-change", "post-merge", "post-rewrite"],
  ...["reference-transaction", "fsmonitor-watchman", "pre-auto-gc", "push-to-checkout", "pre-push", "update"],
];

/** Variables that make git run a program or write a file. */
const ENVIRONMENT_TRAPS = [
  ...["GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND", "GIT_ASKPASS"],
  ...["SSH_ASKPASS", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL", "BROWSER", "LESSOPEN"],
];
/** Variables that name a file to write: the marker itself. */
const TRACE_TRAPS = ["GIT_TRACE", "GIT_TRACE_SETUP", "GIT_TRACE_PERFORMANCE", "GIT_TRACE2", "GIT_TRACE2_EVENT"];

/** Names of programs that doors and tools start; programs with these names are planted in the repository. */
const PLANTED = ["git", "node", "sh", "sleep", "env", "dirname", "readlink", "grep", "cat", "git-log", "git-ls-tree"];

/** Places in the repository where a careless loader would look for its own code. */
const MODULES = [
  ...["node_modules/zod/index.js", "node_modules/zod/mini/index.js", "node_modules/yaml/index.js"],
  ...["node_modules/ignore/index.js", "node_modules/typescript/lib/typescript.js", "dist/hook.cjs"],
  ...["dist/hook-answer.cjs", "dist/yaml.cjs", "dist/orchestrator.cjs", "yaml.cjs", "yaml/index.js"],
];
const SCRIPTS = [
  ...["hooks/auto-tool-orchestrator.sh", "hooks/context-inject-global.sh", "hooks/lib/door.sh", "lib/door.sh"],
  ...["hooks/lib/guard.sh", "lib/guard.sh", "bin/groundwork", ".envrc", ".profile"],
];

/** Number of different ways to run something, each with its own marker. */
export const TRAPS =
  CONFIG_TRAPS.length +
  MARKED_TRAPS.length +
  HOOKS.length * 2 +
  3 +
  ENVIRONMENT_TRAPS.length +
  TRACE_TRAPS.length +
  4 +
  PLANTED.length +
  MODULES.length +
  SCRIPTS.length;

const markersOf = (top: string) => join(top, "markers");

/** Returns the actual number of traps. */
export function countTraps({ top }: HostileGround): number {
  return readdirSync(join(top, "traps")).length + MODULES.length + TRACE_TRAPS.length;
}

/** Returns the names of the traps that were sprung. */
export function listSprung({ top }: HostileGround): string[] {
  return existsSync(markersOf(top)) ? readdirSync(markersOf(top)) : [];
}

/** Writes a program that leaves its own marker. Returns its path. */
function makeTrap({ top }: HostileGround, name: string): string {
  const plain = name.replace(/[^\w.-]+/g, "_");
  const program = join(top, "traps", plain);
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, `#!/bin/sh\n: >'${join(markersOf(top), plain)}'\n`, { mode: 0o755 });
  return program;
}

/** Sets traps wherever the repository can name or contain a program. Contract: the repository has a commit. */
export function addTraps(ground: HostileGround): void {
  const { top, repo } = ground;
  mkdirSync(markersOf(top), { recursive: true });
  const line = (section: string, key: string, mark = "", name = `${section}.${key}`) =>
    `[${section}]\n\t${key} = ${mark}${makeTrap(ground, name)}\n`;
  const hooksPath = join(top, "hooks-path");
  for (const hook of HOOKS) {
    plant(join(repo, ".git/hooks", hook), makeTrap(ground, `hook-${hook}`));
    plant(join(hooksPath, hook), makeTrap(ground, `hooksPath-${hook}`));
  }
  const inner = (name: string) => line("core", "fsmonitor", "", name) + line("gpg", "program", "", name);
  writeFileSync(join(repo, ".git/config.worktree"), inner("config.worktree"));
  writeFileSync(join(repo, ".git/included"), inner("include.path"));
  writeFileSync(join(repo, ".git/included-if"), inner("includeIf"));
  writeFileSync(
    join(repo, ".git/config"),
    `[core]\n\trepositoryformatversion = 1\n\thooksPath = ${hooksPath}\n\tworktree = ${join(top, "outside")}\n` +
      "[extensions]\n\tworktreeConfig = true\n\tpartialClone = origin\n" +
      `[include]\n\tpath = included\n[includeIf "gitdir:/**"]\n\tpath = included-if\n` +
      `[log]\n\tshowSignature = true\n[mailmap]\n\tblob = HEAD:README.md\n\tfile = ${join(top, "outside/invoice.ts")}\n` +
      '[filter "any"]\n\trequired = true\n[remote "origin"]\n\tpromisor = true\n\tpartialclonefilter = blob:none\n' +
      `[protocol]\n\tallow = always\n[maintenance]\n\tauto = true\n[gc]\n\tauto = 1\n` +
      CONFIG_TRAPS.map(([section, key]) => line(section, key)).join("") +
      MARKED_TRAPS.map(([section, key, mark]) => line(section, key, mark)).join(""),
  );
  writeFileSync(join(repo, ".gitattributes"), "* filter=any diff=any merge=any\n");
  for (const name of PLANTED) {
    const program = makeTrap(ground, `planted-${name}`);
    for (const folder of ["", "src", "bin", "node_modules/.bin"]) plant(join(repo, folder, name), program);
  }
  for (const [at, path] of MODULES.entries()) {
    const marker = join(markersOf(top), `module-${at}`);
    writeFiles(repo, { [path]: `require("fs").writeFileSync(${JSON.stringify(marker)}, "");\n` });
  }
  for (const path of SCRIPTS) plant(join(repo, path), makeTrap(ground, `script-${path}`));
}

/** Returns an environment as a git hook or an attacker would pass it on. */
export function makeTrappedEnvironment(ground: HostileGround): Record<string, string> {
  const { top, repo, outside, env } = ground;
  const trap = (name: string) => makeTrap(ground, `variable-${name}`);
  const config = join(top, "variable.config");
  writeFileSync(
    config,
    `[core]\n\tfsmonitor = ${trap("GIT_CONFIG_GLOBAL")}\n[gpg]\n\tprogram = ${trap("GIT_CONFIG")}\n`,
  );
  return {
    ...env,
    ...Object.fromEntries(ENVIRONMENT_TRAPS.map((name) => [name, trap(name)])),
    ...Object.fromEntries(TRACE_TRAPS.map((name) => [name, join(markersOf(top), name)])),
    // Entries that lead into the repository come first.
    PATH: [".", "", "bin", "./node_modules/.bin", env["PATH"]].join(delimiter),
    GIT_DIR: join(outside, ".git"),
    GIT_COMMON_DIR: join(outside, ".git"),
    GIT_WORK_TREE: outside,
    GIT_INDEX_FILE: join(outside, ".git/index"),
    GIT_OBJECT_DIRECTORY: join(outside, ".git/objects"),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(outside, ".git/objects"),
    GIT_SHALLOW_FILE: "/dev/zero",
    GIT_GRAFT_FILE: "/dev/zero",
    GIT_NAMESPACE: "x",
    GIT_EXEC_PATH: join(repo, "bin"),
    GIT_CONFIG: config,
    GIT_CONFIG_SYSTEM: config,
    GIT_CONFIG_GLOBAL: config,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: trap("GIT_CONFIG_COUNT"),
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${trap("GIT_CONFIG_PARAMETERS")}'`,
    GIT_CEILING_DIRECTORIES: repo,
  };
}

/** Adds settings that make git wait forever: pipes wherever a file can be named. */
export function addGitPipes({ repo }: HostileGround): void {
  const pipe = join(repo, ".git/pipe");
  makePipe(pipe);
  makePipe(repo, ".git/info/exclude");
  makePipe(repo, ".git/info/attributes");
  makePipe(repo, ".git/info/grafts");
  makePipe(repo, ".mailmap");
  const keys = [
    ...["core.excludesFile", "core.attributesFile", "blame.ignoreRevsFile", "include.path", "mailmap.file"],
    ...["commit.template", "gpg.ssh.allowedSignersFile", "gpg.ssh.revocationFile", "http.sslCert", "http.cookieFile"],
  ];
  const lines = keys.map((key) => {
    const at = key.lastIndexOf(".");
    const [section = "", sub] = key.slice(0, at).split(".");
    return `[${section}${sub === undefined ? "" : ` "${sub}"`}]\n\t${key.slice(at + 1)} = ${pipe}\n`;
  });
  writeFileSync(join(repo, ".git/config"), `[core]\n\trepositoryformatversion = 0\n${lines.join("")}`);
}

/** Commits in the repository as its author would, with a signature that git might verify. */
export function commitGround({ top, repo, env }: HostileGround, subject: string): void {
  const signer = join(top, "signer");
  const signature = "-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n";
  const script = `#!/bin/sh\ncat >/dev/null\nprintf '\\n[GNUPG:] SIG_CREATED x\\n' >&2\nprintf %b '${signature}'\n`;
  writeFileSync(signer, script, { mode: 0o755 });
  const author = { GIT_AUTHOR_NAME: "Mallory", GIT_AUTHOR_EMAIL: "m@example.org" };
  const committer = { GIT_COMMITTER_NAME: "Mallory", GIT_COMMITTER_EMAIL: "m@example.org" };
  const run = (...args: string[]) => execFileSync("git", args, { cwd: repo, env: { ...env, ...author, ...committer } });
  run("add", "--all");
  run("-c", `gpg.program=${signer}`, "commit", "--quiet", "--allow-empty", "--gpg-sign", "--message", subject);
}

function plant(place: string, program: string): void {
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(program, place);
}
