/** The format of a client's prompt hook output. */
type HookShape =
  /** `hookSpecificOutput` with the event's name and, at the same level, `systemMessage`, a line for the person. */
  | "nested"
  /** `additionalContext` at the top level; other keys are ignored. */
  | "flat"
  /** `{"message": …}`. Any other text reaches the model unchanged, so a hook with nothing to say must print nothing. */
  | "message";

/** Properties of a client. Contract: all differences between clients are defined here. */
export interface ClientFacts {
  /** Name in the run document. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** The program that users start. */
  readonly program: string;
  /** Name of the prompt hook's event. */
  readonly event: string;
  readonly shape: HookShape;
  /** Unit of length: UTF-16 code units or UTF-8 bytes. */
  readonly unit: "utf16" | "bytes";
  /** Maximum size of injected text: below the client's own limit, above which its model sees only a preview. */
  readonly max: number;
  /** True if the client writes `<` and `>` as entities. */
  readonly escapes: boolean;
  /** True if the client's model reads the evidence before the prompt. */
  readonly precedes: boolean;
  /**
   * Payload field with an id for the prompt, the same for every hook that the client calls for it; empty if there is
   * none.
   */
  readonly turnField: string;
  /**
   * First version whose prompt hook can add context, according to the vendor; empty if no version is known to lack it.
   */
  readonly since: string;
  /**
   * True if the payload's `cwd` is the folder to work in, because hooks may run in a different process from the
   * session.
   */
  readonly namesFolder: boolean;
  /** The client's variable for its own folder; empty if it has none. */
  readonly homeVariable: string;
}

/** Both Claude Code and Codex show a model only part of a text longer than 10,000. */
const MOST_UNITS = 9_500;

const USUAL = {
  shape: "nested",
  unit: "utf16",
  max: MOST_UNITS,
  escapes: false,
  precedes: false,
  turnField: "",
  since: "",
  namesFolder: true,
} as const;

/** The clients by id, as used in `groundwork hook <client>` and `--client`. */
export const CLIENTS = {
  claude: {
    ...USUAL,
    name: "claude-code",
    title: "Claude Code",
    program: "claude",
    event: "UserPromptSubmit",
    turnField: "prompt_id",
    since: "1.0.59",
    namesFolder: false,
    homeVariable: "CLAUDE_CONFIG_DIR",
  },
  codex: {
    ...USUAL,
    name: "codex-cli",
    title: "Codex",
    program: "codex",
    event: "UserPromptSubmit",
    unit: "bytes",
    turnField: "turn_id",
    since: "0.124.0",
    homeVariable: "CODEX_HOME",
  },
  gemini: {
    ...USUAL,
    name: "gemini-cli",
    title: "Gemini CLI",
    program: "gemini",
    event: "BeforeAgent",
    escapes: true,
    since: "0.26.0",
    homeVariable: "GEMINI_CLI_HOME",
  },
  copilot: {
    ...USUAL,
    name: "copilot-cli",
    title: "GitHub Copilot CLI",
    program: "copilot",
    event: "userPromptSubmitted",
    shape: "flat",
    homeVariable: "COPILOT_HOME",
  },
  qwen: {
    ...USUAL,
    name: "qwen-code",
    title: "Qwen Code",
    program: "qwen",
    event: "UserPromptSubmit",
    escapes: true,
    turnField: "prompt_id",
    homeVariable: "QWEN_HOME",
  },
  kimi: {
    ...USUAL,
    name: "kimi-code",
    title: "Kimi Code",
    program: "kimi",
    event: "UserPromptSubmit",
    shape: "message",
    precedes: true,
    homeVariable: "KIMI_CODE_HOME",
  },
  opencode: {
    ...USUAL,
    name: "opencode",
    title: "opencode",
    program: "opencode",
    event: "chat.message",
    shape: "flat",
    homeVariable: "",
  },
} as const satisfies Readonly<Record<string, ClientFacts>>;

/** Id of a client. */
export type ClientId = keyof typeof CLIENTS;
/** A client's name in the run document. */
export type ClientName = (typeof CLIENTS)[ClientId]["name"];

/** Ids of the clients, in display order. */
export const CLIENT_IDS = Object.keys(CLIENTS) as ClientId[];

/** Names of the clients in the run document. */
export const CLIENT_NAMES = CLIENT_IDS.map((id) => CLIENTS[id].name) as [ClientName, ...ClientName[]];

/** Properties of a client by its name in the run document. */
export function factsOf(name: ClientName): ClientFacts {
  return Object.values(CLIENTS).find((client) => client.name === name) ?? CLIENTS.claude;
}

/** Finds a client by its id or name; undefined for anything else. */
export function findClient(word: string): (typeof CLIENTS)[ClientId] | undefined {
  return CLIENT_IDS.map((id) => [id, CLIENTS[id]] as const).find(([id, { name }]) => word === id || word === name)?.[1];
}

/** Size of a text in a client's unit. */
export function measureFor(client: ClientName, text: string): number {
  return factsOf(client).unit === "bytes" ? Buffer.byteLength(text, "utf8") : text.length;
}
