import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { isExecutable } from "../../base/find-program.ts";
import { CLIENT_IDS, CLIENTS, type ClientId } from "../../contract/clients.ts";
import { locateFiles } from "../clients/find-clients.ts";
import { readFileState } from "../file-state.ts";
import { isOurLauncher } from "../launcher.ts";
import type { Examination } from "./examine.ts";
import { askHook, hookLimitMs, readHookRun } from "./hook-probe.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";
import { isOlder } from "./version.ts";
import { toSeconds, type World } from "./world.ts";

/** Facts about this program that are known without an examination. */
interface ProgramFacts {
  readonly version: string;
  readonly nodeVersion: string;
  /** The node version that package.json requires: `>=20.19`. */
  readonly wantedNode: string;
  /** The expected build of the files in dist/; empty if it is not recorded. */
  readonly recordedBuild: string;
  /** Their actual build. */
  readonly foundBuild: string;
  /** True if programs that leave their process group are still found and ended. */
  readonly findsStrays: boolean;
}

/** Scripts that clients and users start. */
const DOORS = [
  "bin/groundwork",
  "bin/codex-auto",
  "bin/code-intelligence-mcp",
  "hooks/context-inject-global.sh",
  "hooks/auto-tool-orchestrator.sh",
];
/** Scripts that those source. */
const PARTS = ["hooks/lib/door.sh", "hooks/lib/guard.sh", "hooks/lib/resident.sh"];
const GROUP = "program";
const THIN_PATH = "node without a terminal";
const INSTALL_AGAIN = { text: "install groundwork again", section: "the-program-is-not-whole" } as const;

/** Examines the program itself: version, node, bundles, scripts, and whether it runs with a short PATH. */
export function programExaminations(world: World, facts: ProgramFacts): Examination[] {
  return [
    {
      group: GROUP,
      name: "files",
      limitMs: 5_000,
      look: () => [
        checkVersion(facts),
        checkNode(facts),
        checkBundles(facts),
        checkDoors(world.projectRoot),
        checkProcesses(facts),
      ],
    },
    {
      group: GROUP,
      name: THIN_PATH,
      limitMs: 2 * hookLimitMs(world) + 2_000,
      look: async (signal) => [await checkThinPath(world, signal)],
    },
  ];
}

function checkVersion({ version, recordedBuild }: ProgramFacts): UngroupedCheck {
  return checkOf("version", "any").fine(`${version}, build ${recordedBuild || "unknown"}`);
}

function checkNode({ nodeVersion, wantedNode }: ProgramFacts): UngroupedCheck {
  const check = checkOf("node", wantedNode);
  const least = wantedNode.replace(/^\D+/, "");
  if (!isOlder(nodeVersion, least)) return check.fine(nodeVersion);
  return check.poor("fail", nodeVersion, { text: `install Node ${least} or newer`, section: "node-is-not-found" });
}

function checkBundles({ recordedBuild, foundBuild }: ProgramFacts): UngroupedCheck {
  const check = checkOf("bundles", "all files of one build");
  if (recordedBuild !== "" && recordedBuild === foundBuild) return check.fine("whole");
  const measured = recordedBuild === "" ? "dist/build-id is missing" : "files of dist/ are missing or changed";
  return check.poor("fail", measured, INSTALL_AGAIN);
}

function checkDoors(root: string): UngroupedCheck {
  const missing = [
    ...DOORS.filter((path) => !isExecutable(join(root, path))),
    ...PARTS.filter((path) => !isReadable(join(root, path))),
  ];
  const expected = "present and executable";
  const check = checkOf("scripts", expected);
  return missing.length === 0
    ? check.fine(expected)
    : check.poor("fail", `not so: ${missing.join(", ")}`, INSTALL_AGAIN);
}

/** Always ok, because no user can fix a system that hides its processes; the limitation is still reported. */
function checkProcesses({ findsStrays }: ProgramFacts): UngroupedCheck {
  const expected = "ended with everything they started";
  const measured = "ended by their groups; without /proc one that leaves its group is not found";
  return checkOf("processes", expected).fine(findsStrays ? expected : measured);
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Clients that were started from a desktop have a PATH without nvm, fnm, asdf and the like. */
async function checkThinPath(world: World, signal: AbortSignal): Promise<UngroupedCheck> {
  const check = checkOf(THIN_PATH, `hooks find node with PATH=${world.thinPath}`);
  const door = join(world.projectRoot, "hooks", "context-inject-global.sh");
  const { why, ms } = await askThinly(world, "claude", door, signal);
  // Any valid answer means that node was found.
  if (why === "") return check.fine(`found, answered in ${toSeconds(ms)}`);
  // Launchers contain the path of the node with which they were installed.
  const launchers = findLaunchers(world);
  const answers = await Promise.all(launchers.map(([client, path]) => askThinly(world, client, path, signal)));
  if (answers.length > 0 && answers.every((answer) => answer.context !== ""))
    return check.fine("found by the installed hooks");
  const text = "put node where every program finds it, e.g. link it into /usr/local/bin";
  return check.poor("fail", why, { text, section: "node-is-not-found" });
}

/** Asks a script with a short PATH; returns why it could not answer. */
async function askThinly(world: World, id: ClientId, command: string, signal: AbortSignal) {
  const client = CLIENTS[id];
  const ran = await askHook(world, { command, args: [] }, { client, path: world.thinPath, signal });
  return { ms: ran.ms, ...readHookRun(client, ran) };
}

function findLaunchers({ home, env }: World): [ClientId, string][] {
  if (home === null) return [];
  return CLIENT_IDS.map((client): [ClientId, string] => [client, locateFiles(client, home, env).launcher]).filter(
    ([, path]) => {
      const file = readFileState(path);
      return file.kind === "file" && isExecutable(path) && isOurLauncher(file.bytes.toString("utf8"));
    },
  );
}
