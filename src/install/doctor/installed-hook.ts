import { quoteShell } from "../../base/quote-shell.ts";
import { CLIENTS } from "../../contract/clients.ts";
import type { ClientFiles } from "../clients/client-install.ts";
import type { FoundIn } from "../clients/find-clients.ts";
import { readFileState } from "../file-state.ts";

/** Our prompt hook in a client, as found in the client's files. */
export interface InstalledHook {
  readonly files: ClientFiles;
  /** The command that the client runs; null if there is no hook of ours. */
  readonly command: string | null;
  /** True if the client passes the command to a shell; otherwise a file of ours starts the launcher. */
  readonly isShell: boolean;
  /** Null if the client's default applies. */
  readonly timeoutMs: number | null;
  /** Why a file of ours, or one with our entry, cannot be read; null if it can. */
  readonly fault: string | null;
}

/** Time limits in files that belong to us entirely. */
const SECONDS = /"timeoutSec":\s*(\d+)/;
const MILLISECONDS = /LIMIT_MS = ([\d_]+)/;

/** Finds our hook in a client's files. Contract: read-only; never throws. */
export function readInstalledHook(files: ClientFiles, found: readonly FoundIn[]): InstalledHook {
  const none = { files, command: null, isShell: true, timeoutMs: null, fault: null };
  const broken = found.find(({ entries }) => !entries.ok)?.entries;
  if (broken !== undefined && !broken.ok) return { ...none, fault: broken.fault.message };
  const { event } = CLIENTS[files.client];
  const entries = found.flatMap(({ entries }) => (entries.ok ? entries.value : []));
  const ours = entries.filter((entry) => entry.event === event);
  const entry = ours.find(({ isCurrent }) => isCurrent) ?? ours[0];
  if (entry !== undefined) return { ...none, command: entry.command, timeoutMs: entry.timeoutMs };
  return found.length > 0 ? none : readOwnFile(files, none);
}

/** Reads the hook of a client that takes whole files of ours: the file that is not the launcher defines it. */
function readOwnFile(files: ClientFiles, none: InstalledHook): InstalledHook {
  const own = files.own.find(({ path }) => path !== files.launcher);
  if (own === undefined) return none;
  const file = readFileState(own.path);
  if (file.kind === "absent") return none;
  if (file.kind === "blocked") return { ...none, fault: `${own.path} ${file.why}` };
  const content = file.bytes.toString("utf8");
  if (!own.isOurs(content)) return { ...none, fault: `${own.path} is at our path, but it is not our file` };
  const [seconds, milliseconds] = [SECONDS, MILLISECONDS].map((pattern) =>
    pattern.exec(content)?.[1]?.replaceAll("_", ""),
  );
  const timeoutMs =
    milliseconds === undefined ? (seconds === undefined ? null : Number(seconds) * 1_000) : Number(milliseconds);
  return { ...none, command: quoteShell(files.launcher), isShell: false, timeoutMs };
}
