/** Names of a resident's files, in its folder below the state folder. */
export const RESIDENT_FILES = {
  /** A line each: path of the socket, build of the program, process number, when it was started, and in which boot. */
  place: "place",
  socket: "socket",
  lock: "lock",
  /** Why the last one could not listen; it is not tried again for a while. */
  failure: "failure",
} as const;

/** What a resident can be asked, as paths of HTTP requests on its socket. */
export const RESIDENT_ROUTES = {
  /** Answered at once by a thread that no question blocks. */
  hello: "/hello",
  /** A client's payload in, what its hook prints out. */
  hook: "/hook",
  /** A tool call of an MCP server in, its result out. */
  call: "/call",
  /** Claude Code's payload for a status line in, the line out; at once, like hello. */
  statusLine: "/statusline",
  status: "/status",
  stop: "/stop",
} as const;

/** Header with the build of whoever asks. A resident of another build does not answer. */
export const BUILD_HEADER = "x-groundwork-build";

/** HTTP statuses with a meaning of their own; whoever gets another than 200 does the work itself. */
export const RESIDENT_STATUS = {
  /** Not a question for a resident: it would have to start programs, or is switched off. */
  declined: 409,
  tooLarge: 413,
  /** The payload is not whole yet. */
  incomplete: 422,
  /** Another build of the program. */
  otherBuild: 426,
  failed: 500,
  /** The resident ends. */
  ending: 503,
} as const;

/** A repository that a resident holds open. */
export interface ResidentRepository {
  readonly root: string;
  readonly files: number;
  /** `watched`: changes are known by events; `compared`: every file is looked at for each question. */
  readonly state: "watched" | "compared";
}

/** What `groundwork resident status --json` prints. */
export interface ResidentStatus {
  readonly running: boolean;
  readonly pid: number | null;
  readonly version: string | null;
  readonly started_at: string | null;
  readonly rss_mb: number | null;
  readonly socket: string | null;
  readonly repositories: readonly ResidentRepository[];
}
