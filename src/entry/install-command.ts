import { homedir } from "node:os";
import { join } from "node:path";
import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { systemClock } from "../base/clock.ts";
import { findRepoRoot, toRealFolder } from "../base/repo-root.ts";
import { stateFolder } from "../config/places.ts";
import { CLIENT_IDS, CLIENTS, type ClientId } from "../contract/clients.ts";
import { FAULTS, fail, type Outcome, succeed } from "../contract/faults.ts";
import { pluginCommands } from "../install/clients/claude.ts";
import { findClients } from "../install/clients/find-clients.ts";
import { proveInstall } from "../install/prove.ts";
import { formatOutcome, formatReport, type InstallReport } from "../install/report.ts";
import type { InstallPlaces, InstallRequest } from "../install/request.ts";
import { runInstall } from "../install/run-install.ts";
import { failed, misuse, type Printed, printedJson } from "./printed.ts";
import { canAsk, confirm, projectRoot, workingFolder, writeAll } from "./process.ts";

/** A requested installation, and additional notes for its report. */
interface Wanted {
  readonly request: InstallRequest;
  readonly notes: readonly string[];
  /** True if no confirmation is requested: for install.sh and older guides. */
  readonly isPlain: boolean;
}

/**
 * `groundwork install`: finds the clients, shows what it would do, asks once, does it, and tests each hook with a
 * question.
 */
export async function installClients(words: readonly string[], options: OptionsOf<"install">): Promise<Printed> {
  if (words.length > 0) return misuse("install takes no arguments; name clients with --client", "install");
  const places = toPlaces();
  if (!places.ok) return failed(places.fault);
  const wanted = toInstallation(options, places.value);
  return typeof wanted === "string" ? misuse(wanted, "install") : decide(wanted, places.value, options);
}

/** `groundwork uninstall`: shows what it would remove, asks once, and restores what was there before. */
export async function uninstallClients(words: readonly string[], options: OptionsOf<"install">): Promise<Printed> {
  if (words.length > 0) return misuse("uninstall takes no arguments; name clients with --client", "uninstall");
  const places = toPlaces();
  if (!places.ok) return failed(places.fault);
  const clients = readClients(options.client);
  if (typeof clients === "string") return misuse(clients, "uninstall");
  const everything = clients === null;
  const request: InstallRequest = {
    ...toFlags(options),
    action: "uninstall",
    clients: clients ?? CLIENT_IDS,
    everything,
    goOn: true,
  };
  return decide({ request, notes: [], isPlain: false }, places.value, options);
}

function toInstallation(options: OptionsOf<"install">, { home, env }: InstallPlaces): Wanted | string {
  const named = readClients(options.client);
  if (typeof named === "string") return named;
  const isPlain = [options["with-hook"], options.global, options.local].includes(true) && named === null;
  const base = { ...toFlags(options), action: "install", everything: isPlain, goOn: !isPlain } as const;
  if (isPlain && options.statusline === true && options["with-hook"] !== true) return NO_STATUS_LINE;
  if (isPlain)
    return { request: { ...base, clients: options["with-hook"] === true ? ["claude"] : [] }, notes: [], isPlain };
  const all = findClients(home, env);
  const found = all.filter(({ program, hasFolder }) => program !== null || hasFolder).map(({ client }) => client);
  const plugin = options.plugin === true ? pluginCommands(projectRoot) : [];
  if (plugin === null) return "--plugin: this installation has no plugin for Claude Code";
  // The plugin includes the hook.
  const clients = (named ?? found).filter((client) => plugin.length === 0 || client !== "claude");
  if (options.statusline === true && !clients.includes("claude")) return NO_STATUS_LINE;
  const absent = clients.filter((client) => all.some((one) => one.client === client && one.program === null));
  const others = CLIENT_IDS.filter((client) => named === null && !found.includes(client));
  const notes = [
    ...(plugin.length === 0 ? [] : [`for Claude Code, run: ${plugin.join(" && ")}`]),
    ...(absent.length === 0 ? [] : [`not on the PATH, but set up: ${toTitles(absent)}`]),
    ...(others.length === 0 ? [] : [`not found on this machine: ${toTitles(others)}`]),
  ];
  return { request: { ...base, clients }, notes, isPlain };
}

const NO_STATUS_LINE = "--statusline is for Claude Code, whose settings this would not touch";

const toTitles = (clients: readonly ClientId[]) => clients.map((client) => CLIENTS[client].title).join(", ");

function toFlags(options: OptionsOf<"install">) {
  return {
    subAgents: options["sub-agents"] === true,
    statusLine: options.statusline === true,
    global: options.global === true,
    local: options.local === true,
    dryRun: options["dry-run"] === true,
  };
}

/** The clients of `--client`; null if the option is absent, an error message if a client is unknown. */
function readClients(list: string | undefined): readonly ClientId[] | null | string {
  if (list === undefined) return null;
  const words = list.split(",").map((word) => word.trim());
  const wrong = words.find((word) => !CLIENT_IDS.some((id) => id === word));
  if (wrong !== undefined) return `--client knows ${CLIENT_IDS.join(", ")}, but not "${wrong}"`;
  return CLIENT_IDS.filter((id) => words.includes(id));
}

async function decide(wanted: Wanted, places: InstallPlaces, options: OptionsOf<"install">): Promise<Printed> {
  const { request, isPlain } = wanted;
  const tell = (report: InstallReport) => ({ ...report, notes: [...report.notes, ...wanted.notes] });
  const show = (report: InstallReport, exitCode: number, toText = formatReport): Printed =>
    options.json === true ? printedJson(report, exitCode) : { text: toText(report), exitCode };
  const planned = await runInstall({ ...request, dryRun: true }, places);
  if (!planned.ok) return failed(planned.fault);
  const preview = tell(planned.value);
  if (request.dryRun) return show(preview, toExit(preview));
  const isOpen = preview.items.some(({ action }) => action !== "keep");
  const mayAsk = isOpen && !isPlain && options.yes !== true;
  const isAsked = mayAsk && options.json !== true && canAsk();
  // Without a terminal only a removal proceeds, because everything that it removes is ours.
  if (mayAsk && !isAsked && request.action === "install") {
    misuse("nothing was changed, because there is no terminal to ask on; read this, then run it with --yes", "install");
    return show(preview, 2);
  }
  if (isAsked) {
    writeAll(2, `${formatReport(preview)}\n`);
    if (!(await confirm("Do this?"))) return { text: "Nothing was changed.\n", exitCode: 1 };
  }
  const done = await runInstall(request, places);
  if (!done.ok) return failed(done.fault);
  const report = tell(
    request.action === "install" && !isPlain ? await proveInstall(done.value, places, systemClock.nowMs) : done.value,
  );
  return show(report, toExit(report), isAsked ? formatOutcome : formatReport);
}

/** A refused client, or a hook that does not answer, also affects the exit code. */
function toExit({ clients }: InstallReport): number {
  const isWrong = clients.some(({ state, proof }) => state === "refused" || proof?.ok === false);
  return isWrong ? FAULTS.E_CONFIG.exit : 0;
}

function toPlaces(): Outcome<InstallPlaces> {
  const home = process.env["HOME"] || homedir();
  if (toRealFolder(home) === null)
    return fail("E_CONFIG", `HOME names no folder: ${home}`, "set HOME to your home folder");
  return succeed({
    home,
    projectRoot,
    node: process.execPath,
    env: process.env,
    stateFolder: stateFolder({ ...process.env, HOME: home }) ?? join(home, ".cache", "groundwork"),
    binFolder: "/usr/local/bin",
    repoRoot: findRepoRoot(workingFolder() || home).root,
    nowMs: systemClock.nowMs(),
  });
}
