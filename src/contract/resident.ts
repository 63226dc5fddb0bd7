/** File names of a resident, in its folder below the state folder. */
export const RESIDENT_FILES = {
  /** One line each: socket path, program build, process id, start time and boot id. */
  place: "place",
  socket: "socket",
  lock: "lock",
  /** Why the last resident could not listen; prevents another attempt for a while. */
  failure: "failure",
} as const;

/** Requests to a resident, as paths of HTTP requests on its socket. */
export const RESIDENT_ROUTES = {
  /** Answered immediately by a thread that questions do not block. */
  hello: "/hello",
  /** Takes a client's payload and returns its hook's output. */
  hook: "/hook",
  /** Takes a tool call of an MCP server and returns its result. */
  call: "/call",
  /** Takes Claude Code's payload for a status line and returns the line; answered immediately, like hello. */
  statusLine: "/statusline",
  status: "/status",
  stop: "/stop",
} as const;

/** Header with the build of the caller. A resident of another build does not answer. */
export const BUILD_HEADER = "x-groundwork-build";

/** HTTP statuses with a specific meaning; for any status other than 200 the caller does the work itself. */
export const RESIDENT_STATUS = {
  /** Not suitable for a resident: it would have to start programs, or is switched off. */
  declined: 409,
  tooLarge: 413,
  /** The payload is incomplete. */
  incomplete: 422,
  /** The build of the program differs. */
  otherBuild: 426,
  failed: 500,
  /** The resident is shutting down. */
  ending: 503,
} as const;

/** A repository that a resident keeps open. */
export interface ResidentRepository {
  readonly root: string;
  readonly files: number;
  /** `watched`: changes are reported by events; `compared`: every file is checked for each question. */
  readonly state: "watched" | "compared";
}

/** The output of `groundwork resident status --json`. */
export interface ResidentStatus {
  readonly running: boolean;
  readonly pid: number | null;
  readonly version: string | null;
  readonly started_at: string | null;
  readonly rss_mb: number | null;
  readonly socket: string | null;
  readonly repositories: readonly ResidentRepository[];
}
