import { findProgram } from "../../base/find-program.ts";
import { CLIENT_IDS, CLIENTS, type ClientId } from "../../contract/clients.ts";
import { findOurEntries, locateFiles } from "../clients/find-clients.ts";
import {
  type ClientSettings,
  findOurCommands,
  findOurPlugins,
  findSwitchOff,
  readClientSettings,
} from "./client-settings.ts";
import { checkCodexTrust, TRUST_LIMIT_MS } from "./codex-trust.ts";
import type { Examination } from "./examine.ts";
import { askHook, hookLimitMs, judgeHookRun } from "./hook-probe.ts";
import { followHook } from "./hook-target.ts";
import { type InstalledHook, readInstalledHook } from "./installed-hook.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";
import { findVersion, isOlder } from "./version.ts";
import { runInTime, toSeconds, type World } from "./world.ts";

const VERSION_LIMIT_MS = 5_000;
/** Allowance for starting a program and printing, on top of its limit. */
const SLACK_MS = 2_000;

const PROGRAM = checkOf("program", "any");

interface Patient {
  readonly client: ClientId;
  readonly program: string | null;
  readonly settings: readonly ClientSettings[];
  readonly hook: InstalledHook;
  readonly plugins: readonly string[];
}

/**
 * Examines every client: its program, its settings and our hook in it. A client that is not installed is not a fault.
 */
export function clientExaminations(world: World): Examination[] {
  const { home } = world;
  if (home === null) return [];
  const limitMs = Math.max(VERSION_LIMIT_MS, TRUST_LIMIT_MS, hookLimitMs(world)) + SLACK_MS;
  return CLIENT_IDS.map((client) => ({
    group: client,
    name: "client",
    limitMs,
    look: (signal) => lookAtClient(meet(client, home, world), world, signal),
  }));
}

function meet(client: ClientId, home: string, world: World): Patient {
  const files = locateFiles(client, home, world.env);
  const settings = readClientSettings(client, files.folder, world.folder);
  return {
    client,
    program: findProgram(CLIENTS[client].program, world.env["PATH"] ?? "", null),
    settings,
    hook: readInstalledHook(files, findOurEntries(files)),
    plugins: settings.flatMap(findOurPlugins),
  };
}

async function lookAtClient(patient: Patient, world: World, signal: AbortSignal): Promise<UngroupedCheck[]> {
  const { client, program, hook, plugins } = patient;
  const isSetUp = hook.command !== null || plugins.length > 0;
  const settings = checkSettings(patient);
  if (program === null) {
    const found = PROGRAM.fine(isSetUp ? "not on the PATH; its hook is set up" : "not on the PATH");
    if (!isSetUp) return settings.status === "ok" ? [found] : [found, settings];
    return [found, settings, ...checkSwitch(patient), ...(await checkHook(patient, world, signal))];
  }
  const asksTrust = client === "codex" && hook.command !== null;
  const [version, ofHook, trust] = await Promise.all([
    checkVersion(patient, program, world, signal),
    checkHook(patient, world, signal),
    asksTrust ? checkCodexTrust(world, { codex: program, files: hook.files, signal }).then((found) => [found]) : [],
  ]);
  return [PROGRAM.fine(program), version, settings, ...checkSwitch(patient), ...ofHook, ...trust];
}

async function checkVersion(
  { client, hook }: Patient,
  program: string,
  world: World,
  signal: AbortSignal,
): Promise<UngroupedCheck> {
  const { title, since } = CLIENTS[client];
  const check = checkOf("version", since === "" ? "any" : `${since} or newer`);
  const { env, folder: cwd } = world;
  const call = { command: program, args: ["--version"], cwd, env, stdin: "" };
  const ran = await runInTime(world, call, { limitMs: VERSION_LIMIT_MS, signal });
  if (ran.isLate || ran.startError !== "") {
    const measured = ran.isLate ? `no answer to --version within ${toSeconds(VERSION_LIMIT_MS)}` : ran.startError;
    const remedy = { text: `run "${program} --version" by hand`, section: "the-client-does-not-answer" } as const;
    return check.poor("warn", measured, remedy);
  }
  const version = findVersion(ran.stdout);
  if (version === "" || since === "" || !isOlder(version, since)) return check.fine(version || "not told");
  const instead = client === "codex" ? ', or use "codex-auto"' : "";
  const remedy = { text: `update ${title}${instead}`, section: "the-client-is-too-old" } as const;
  return check.poor(hook.command === null ? "warn" : "fail", version, remedy);
}

function checkSettings({ client, settings, hook }: Patient): UngroupedCheck {
  const check = checkOf("settings", "absent, or files that can be read");
  const remedy = { text: "fix it, then restart the client", section: "the-clients-settings-cannot-be-read" } as const;
  const [why] = [
    ...settings.flatMap(({ data }) => (data.ok ? [] : [data.fault.message])),
    ...(hook.fault === null ? [] : [hook.fault]),
  ];
  if (why !== undefined) return check.poor("fail", why.split("; nothing was changed")[0] ?? "", remedy);
  const there = settings.filter(({ data }) => data.ok && Object.keys(data.value).length > 0);
  return check.fine(there.map(({ path }) => path).join(", ") || `none of ${CLIENTS[client].title}`);
}

function checkSwitch({ client, settings }: Patient): UngroupedCheck[] {
  const check = checkOf("hooks allowed", `${CLIENTS[client].title} runs hooks`);
  const remedy = { text: "take it out of that file", section: "the-client-runs-no-hooks" } as const;
  return settings.flatMap((file) => {
    const why = findSwitchOff(file);
    return why === "" ? [] : [check.poor("fail", `${file.path}: ${why}`, remedy)];
  });
}

async function checkHook(patient: Patient, world: World, signal: AbortSignal): Promise<UngroupedCheck[]> {
  const { client, hook, plugins } = patient;
  if (hook.command === null) {
    const measured = plugins.length > 0 ? `by the plugin ${plugins.join(", ")}` : "not installed";
    return [checkOf("hook", "installed, or left out").fine(measured)];
  }
  const { check, isOurs } = followHook(hook.command, hook.files, world);
  const call = hook.isShell
    ? { command: "/bin/sh", args: ["-c", hook.command] }
    : { command: hook.files.launcher, args: [] };
  const path = world.env["PATH"] ?? "";
  const asked = isOurs ? [await askHook(world, call, { client: CLIENTS[client], path, signal })] : [];
  const answers = asked.map((ran) => judgeHookRun(CLIENTS[client], ran, world));
  return [check, checkTimeout(hook, world), checkDoubled(patient), ...answers];
}

function checkTimeout({ timeoutMs }: InstalledHook, { budgetMs }: World): UngroupedCheck {
  const check = checkOf("time-out", `longer than the budget of ${toSeconds(budgetMs)}`);
  if (timeoutMs === null) return check.fine("the client's own");
  const measured = toSeconds(timeoutMs);
  if (timeoutMs >= budgetMs + SLACK_MS) return check.fine(measured);
  const remedy = { text: 'run "groundwork install"', section: "the-hook-is-cut-off" } as const;
  return check.poor(timeoutMs < budgetMs ? "fail" : "warn", measured, remedy);
}

function checkDoubled({ client, settings, hook, plugins }: Patient): UngroupedCheck {
  const all = settings.flatMap((file) =>
    findOurCommands(client, file).map((command) => ({ command, path: file.path })),
  );
  // Only Codex runs the same command twice; the others treat duplicates as one hook.
  const isSame = (one: (typeof all)[number], other: (typeof all)[number]) =>
    client !== "codex" && one.path !== other.path && one.command === other.command;
  const commands = all.filter((one, at) => !all.slice(0, at).some((earlier) => isSame(earlier, one)));
  const own = hook.isShell ? [] : [hook.files.launcher];
  const places = [...own, ...commands.map(({ path }) => path), ...plugins.map((name) => `plugin ${name}`)];
  const check = checkOf("not doubled", "once");
  if (places.length < 2) return check.fine("once");
  const remedy = { text: "keep one of them; the other stays silent", section: "the-hook-is-there-twice" } as const;
  return check.poor("warn", `${places.length} times: ${places.join(", ")}`, remedy);
}
