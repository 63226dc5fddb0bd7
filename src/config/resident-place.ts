import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { isOwnFolder } from "../base/ownership.ts";
import type { ProcessIdentity } from "../base/process-identity.ts";
import { readStateFile } from "../base/state-files.ts";
import { RESIDENT_FILES } from "../contract/resident.ts";
import { mixedHash, stateFolder } from "./places.ts";

/** Folder of the resident's files, below the state folder. */
const RESIDENT_FOLDER = "resident";
/** Longest path of a socket: the system has room for 104 to 108 bytes. */
const MAX_SOCKET_BYTES = 100;
const MAX_PLACE_BYTES = 8_192;

/** Where a running resident can be reached. */
interface ResidentPlace {
  readonly socket: string;
  /** Build of its program. */
  readonly build: string;
  readonly process: ProcessIdentity;
}

/** Folder of the resident's files, or null if there is no place for state. */
export function residentFolder(env: Environment): string | null {
  const state = stateFolder(env);
  return state === null ? null : join(state, RESIDENT_FOLDER);
}

/** Folder of the socket: the resident's own, or a short one in the runtime or temporary folder. */
export function socketFolder(folder: string, env: Environment, uid: number): string {
  if (Buffer.byteLength(join(folder, RESIDENT_FILES.socket)) <= MAX_SOCKET_BYTES) return folder;
  const near = env["XDG_RUNTIME_DIR"] || env["TMPDIR"] || "/tmp";
  return join(near, `groundwork-${uid}-${mixedHash(folder)}`);
}

/** What a resident says of itself in its folder. Contract: null if there is none, or none that can be believed. */
export function readPlace(folder: string): ResidentPlace | null {
  if (!isOwnFolder(folder)) return null;
  const text = readStateFile(folder, RESIDENT_FILES.place, MAX_PLACE_BYTES) ?? "";
  const [socket = "", build = "", pid = "", startedAt = "", bootId = ""] = text.split("\n");
  if (!socket.startsWith("/") || build === "" || !/^\d{1,10}$/.test(pid)) return null;
  return { socket, build, process: { pid: Number(pid), startedAt, bootId } };
}

/** The text of that file. */
export function toPlaceText({ socket, build, process: { pid, startedAt, bootId } }: ResidentPlace): string {
  return `${[socket, build, pid, startedAt, bootId].join("\n")}\n`;
}
