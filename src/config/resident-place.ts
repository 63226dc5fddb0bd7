import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { isOwnFolder } from "../base/file-facts.ts";
import { isSameProcess, type ProcessIdentity } from "../base/process-identity.ts";
import { readStateFile } from "../base/state-files.ts";
import { RESIDENT_FILES } from "../contract/resident.ts";
import { folderInState, mixedHash } from "./places.ts";

/** Maximum path length of a socket: systems allow 104 to 108 bytes. */
const MAX_SOCKET_BYTES = 100;
const MAX_PLACE_BYTES = 8_192;

/** How to reach a running resident. */
interface ResidentPlace {
  readonly socket: string;
  /** Build of its program. */
  readonly build: string;
  readonly process: ProcessIdentity;
}

/** Returns the folder of the resident's files, or null if there is no location for state. */
export function residentFolder(env: Environment): string | null {
  return folderInState(env, "resident");
}

/**
 * Returns the folder of the socket: the resident's own, or one with a short path in the runtime or temporary folder.
 */
export function socketFolder(folder: string, env: Environment, uid: number): string {
  if (Buffer.byteLength(join(folder, RESIDENT_FILES.socket)) <= MAX_SOCKET_BYTES) return folder;
  const near = env["XDG_RUNTIME_DIR"] || env["TMPDIR"] || "/tmp";
  return join(near, `groundwork-${uid}-${mixedHash(folder)}`);
}

/**
 * Reads what a resident has recorded about itself in its folder. Contract: null if there is no record, or if it cannot
 * be trusted.
 */
export function readPlace(folder: string): ResidentPlace | null {
  if (!isOwnFolder(folder)) return null;
  const text = readStateFile(folder, RESIDENT_FILES.place, MAX_PLACE_BYTES) ?? "";
  const [socket = "", build = "", pid = "", startedAt = "", bootId = ""] = text.split("\n");
  if (!socket.startsWith("/") || build === "" || !/^\d{1,10}$/.test(pid)) return null;
  return { socket, build, process: { pid: Number(pid), startedAt, bootId } };
}

/** Reads that record if the process that wrote it is still running, otherwise null. */
export function readRunning(folder: string): ResidentPlace | null {
  const place = readPlace(folder);
  return place !== null && isSameProcess(place.process) ? place : null;
}

/** Serialises that record. */
export function toPlaceText({ socket, build, process: { pid, startedAt, bootId } }: ResidentPlace): string {
  return `${[socket, build, pid, startedAt, bootId].join("\n")}\n`;
}
