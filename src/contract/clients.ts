/** What a client reads of its prompt hook's output. */
type HookShape =
  /** `hookSpecificOutput` with the event's name, beside it `systemMessage`, a line for the person. */
  | "nested"
  /** `additionalContext` at the top; anything else there is ignored. */
  | "flat"
  /** `{"message": …}`. Other text reaches the model as it is, so that nothing to say means no output at all. */
  | "message";

/** What has to be known of a client to talk to it. Contract: everything that differs between clients stands here. */
export interface ClientFacts {
  /** Its name in the run document. */
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  /** The program that its users start. */
  readonly program: string;
  /** The event of its prompt hook. */
  readonly event: string;
  readonly shape: HookShape;
  /** How it counts: UTF-16 code units or UTF-8 bytes. */
  readonly unit: "utf16" | "bytes";
  /** Most units of injected text: below its own limit, above which its model sees only a preview. */
  readonly max: number;
  /** True if it writes `<` and `>` as entities. */
  readonly escapes: boolean;
  /** True if its model reads the evidence before the prompt. */
  readonly precedes: boolean;
  /** Field of its payload that names one prompt, the same for every hook that it calls for that prompt; empty if none. */
  readonly turnField: string;
  /** The first version whose prompt hook adds context by itself, as its makers say; empty where none is known to lack it. */
  readonly since: string;
  /** True if the folder to work in is the payload's `cwd`, because its hooks may run in another process than the session. */
  readonly namesFolder: boolean;
}

/** Both Claude Code and Codex show a model only a part of what is longer than 10,000. */
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

/** The clients, by the word for each in `groundwork hook <client>` and `--client`. */
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
  },
  gemini: {
    ...USUAL,
    name: "gemini-cli",
    title: "Gemini CLI",
    program: "gemini",
    event: "BeforeAgent",
    escapes: true,
    since: "0.26.0",
  },
  copilot: {
    ...USUAL,
    name: "copilot-cli",
    title: "GitHub Copilot CLI",
    program: "copilot",
    event: "userPromptSubmitted",
    shape: "flat",
  },
  qwen: {
    ...USUAL,
    name: "qwen-code",
    title: "Qwen Code",
    program: "qwen",
    event: "UserPromptSubmit",
    escapes: true,
    turnField: "prompt_id",
  },
  kimi: {
    ...USUAL,
    name: "kimi-code",
    title: "Kimi Code",
    program: "kimi",
    event: "UserPromptSubmit",
    shape: "message",
    precedes: true,
  },
  opencode: {
    ...USUAL,
    name: "opencode",
    title: "opencode",
    program: "opencode",
    event: "chat.message",
    shape: "flat",
  },
} as const satisfies Readonly<Record<string, ClientFacts>>;

/** The word for a client. */
export type ClientId = keyof typeof CLIENTS;
/** A client's name in the run document. */
export type ClientName = (typeof CLIENTS)[ClientId]["name"];

/** The words for the clients, in the order in which they are shown. */
export const CLIENT_IDS = Object.keys(CLIENTS) as ClientId[];

/** The clients' names in the run document. */
export const CLIENT_NAMES = CLIENT_IDS.map((id) => CLIENTS[id].name) as [ClientName, ...ClientName[]];

/** What is known of a client, by its name in the run document. */
export function factsOf(name: ClientName): ClientFacts {
  return Object.values(CLIENTS).find((client) => client.name === name) ?? CLIENTS.claude;
}

/** A client by its word or its name; undefined for anything else. */
export function findClient(word: string): (typeof CLIENTS)[ClientId] | undefined {
  return CLIENT_IDS.map((id) => [id, CLIENTS[id]] as const).find(([id, { name }]) => word === id || word === name)?.[1];
}

/** Size of a text in a client's unit. */
export function measureFor(client: ClientName, text: string): number {
  return factsOf(client).unit === "bytes" ? Buffer.byteLength(text, "utf8") : text.length;
}
