import { join } from "node:path";
import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { findProgram, withSafePath } from "../base/find-program.ts";
import { startDetached } from "../base/subprocess/start-detached.ts";
import { stateFolder } from "../config/places.ts";
import { fail } from "../contract/faults.ts";
import { toAddress } from "../web/openings.ts";
import { originOf } from "../web/request-guard.ts";
import { startWebServer, type WebServer } from "../web/server.ts";
import { askOpening, claimUi, findUiPlace, removeUiPlace, writeUiPlace } from "../web/ui-place.ts";
import { failed, misuse, type Printed } from "./printed.ts";
import { projectRoot, untilStopped, workingFolder, writeAll } from "./process.ts";
import { openUiSources } from "./ui-sources.ts";

/** Default port, if it is free: a stable address keeps what the browser has stored for it. */
const USUAL_PORT = 7_417;

/**
 * `groundwork ui`: serves the page until it is interrupted. A second instance only prints the address of the first one.
 */
export async function serveUi(words: readonly string[], options: OptionsOf<"ui">): Promise<Printed> {
  if (words.length > 0) return misuse("ui takes no arguments", "ui");
  const port = options.port === undefined ? null : toPort(options.port);
  if (options.port !== undefined && port === null) return misuse("--port takes a number from 1 to 65535", "ui");
  const folder = stateFolder(process.env);
  if (folder === null)
    return failed(fail("E_CONFIG", "there is no folder for state", "set HOME or GROUNDWORK_HOME to a folder").fault);
  const claim = claimUi(folder);
  if (claim === null) return tellRunning(folder, options);
  try {
    return await serve(folder, port, options);
  } finally {
    claim.release();
  }
}

function toPort(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

async function tellRunning(folder: string, options: OptionsOf<"ui">): Promise<Printed> {
  const place = await findUiPlace(folder);
  if (place === null)
    return failed(fail("E_ORCHESTRATOR", "another groundwork ui is starting or ending", "try again").fault);
  writeAll(2, "groundwork: already being served\n");
  if (options.open === true) {
    const opening = await askOpening(place);
    if (opening === null) writeAll(2, "groundwork: no browser was opened, because the server did not answer\n");
    else await openBrowser(opening);
  }
  return { text: `${toAddress(originOf(place), place.token)}\n`, exitCode: 0 };
}

async function serve(folder: string, port: number | null, options: OptionsOf<"ui">): Promise<Printed> {
  const opened = await openUiSources(process.env, workingFolder());
  if (!opened.ok) return failed(opened.fault);
  const { sources, close } = opened.value;
  try {
    const shared = { sources, pageFolder: join(projectRoot, "dist", "page") };
    let started = await startWebServer({ ...shared, port: port ?? USUAL_PORT });
    if (!started.ok && port === null) started = await startWebServer({ ...shared, port: 0 });
    if (!started.ok) return failed(started.fault);
    const server = started.value;
    writeUiPlace(folder, server);
    try {
      await serveUntilStopped(server, options);
    } finally {
      removeUiPlace(folder, server);
      await server.close();
    }
  } finally {
    close();
  }
  writeAll(2, "groundwork: stopped\n");
  return { text: "", exitCode: 0 };
}

async function serveUntilStopped(server: WebServer, options: OptionsOf<"ui">): Promise<void> {
  const stopped = untilStopped();
  writeAll(1, `${server.address}\n`);
  writeAll(2, "groundwork: serving this machine only, until Ctrl-C\n");
  if (options.open === true) await openBrowser(server.makeOpening());
  await stopped;
}

/** Opens an address in the user's browser, or reports that it cannot. */
async function openBrowser(address: string): Promise<void> {
  const env = withSafePath(process.env, workingFolder());
  const name = process.platform === "darwin" ? "open" : "xdg-open";
  const program = findProgram(name, env.PATH, null);
  const started = program === null ? null : await startDetached(program, [address], { cwd: "/", env });
  if (started === null) writeAll(2, `groundwork: no browser could be opened: ${name} was not found\n`);
}
