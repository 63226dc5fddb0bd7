import type { SandboxMode } from "../../contract/codex-jobs.ts";

/** What an argument for Codex means for the policy. */
type ArgKind =
  | "sandbox"
  | "approval"
  | "bypass"
  | "full-auto"
  | "approve-for-me"
  | "sandbox-config"
  | "permissions-config"
  | "permissions-definition"
  | "approval-config"
  | "network-config"
  | "config-without-value"
  | "separator"
  | "other";

/** An option as written, with its value. */
export interface PolicyArg {
  readonly kind: ArgKind;
  /** The arguments that the option consists of. */
  readonly tokens: readonly string[];
  /** The value as written: the end of the last argument. */
  readonly written: string;
  /** The parsed value; empty if there is none. */
  readonly value: string;
}

/** Codex's names of the sandboxes in `default_permissions`, the newer setting; other names there are the user's own. */
const PERMISSIONS: Readonly<Record<SandboxMode, string>> = {
  "read-only": ":read-only",
  "workspace-write": ":workspace",
  "danger-full-access": ":danger-full-access",
};

type ValueCount = "none" | "one" | "many";

/** Options that Codex accepts only after `exec`, and how many values each takes. */
const EXEC_OPTIONS: ReadonlyMap<string, ValueCount> = new Map([
  ...each("none", "--skip-git-repo-check", "--ephemeral", "--ignore-user-config", "--ignore-rules", "--json"),
  ...each("one", "--output-schema", "--color", "--output-last-message", "-o", "--thread-source"),
  ...each("one", "--cyber-access-program"),
  // Also accepted before `exec`, but there it takes the word `exec` for another image.
  ...each("many", "--image", "-i"),
]);

function each(values: ValueCount, ...names: readonly string[]): readonly (readonly [string, ValueCount])[] {
  return names.map((name) => [name, values]);
}

const FLAGS: ReadonlyMap<string, ArgKind> = new Map([
  ["--dangerously-bypass-approvals-and-sandbox", "bypass"],
  ["--yolo", "bypass"],
  ["--full-auto", "full-auto"],
  ["--approve-for-me", "approve-for-me"],
  ["--", "separator"],
]);

const VALUED: ReadonlyMap<string, ArgKind> = new Map([
  ["--sandbox", "sandbox"],
  ["-s", "sandbox"],
  ["--ask-for-approval", "approval"],
  ["-a", "approval"],
]);

/**
 * Parses Codex's arguments as Codex does: `--x v`, `--x=v`, `-x v`, `-xv` and `-x=v`, and settings by `-c`. Contract:
 * the tokens of all parts, concatenated, are the arguments in their order.
 */
export function readPolicyArgs(args: readonly string[]): readonly PolicyArg[] {
  const read: PolicyArg[] = [];
  for (let at = 0; at < args.length; ) {
    const part = readOne(args, at);
    read.push(part);
    at += part.tokens.length;
  }
  return read;
}

/** Returns the arguments of the same option, in the same spelling, with another value. */
export function writeValue(arg: PolicyArg, value: string): readonly string[] {
  const last = arg.tokens.at(-1) ?? "";
  const head = last.slice(0, last.length - arg.written.length);
  const written = arg.kind === "permissions-config" ? `"${PERMISSIONS[value as SandboxMode]}"` : value;
  return [...arg.tokens.slice(0, -1), `${head}${written}`];
}

/** Returns the arguments from which the parts were parsed. */
export function toArgs(parts: readonly PolicyArg[]): readonly string[] {
  return parts.flatMap(({ tokens }) => tokens);
}

/** Splits Codex's arguments into those before `exec` and those after it; each group keeps its order. */
export function splitArgs(args: readonly string[]): {
  readonly globalArgs: readonly string[];
  readonly execArgs: readonly string[];
} {
  const globalArgs: string[] = [];
  const execArgs: string[] = [];
  for (let at = 0; at < args.length; ) {
    const option = readOption(args[at] ?? "");
    const takes = option === null ? undefined : EXEC_OPTIONS.get(option.name);
    let size = 1;
    if (takes === "one" && option?.attached === null && isValue(args[at + 1])) size = 2;
    if (takes === "many") while (isValue(args[at + size])) size += 1;
    (takes === undefined ? globalArgs : execArgs).push(...args.slice(at, at + size));
    at += size;
  }
  return { globalArgs, execArgs };
}

function readOne(args: readonly string[], at: number): PolicyArg {
  const token = args[at] ?? "";
  const { name, attached } = readOption(token) ?? { name: token, attached: null };
  const next = args[at + 1];
  const flag = FLAGS.get(name);
  if (flag !== undefined) return { kind: flag, tokens: [token], written: "", value: "" };
  const isConfig = name === "-c" || name === "--config";
  const valued = VALUED.get(name);
  if (!isConfig && valued === undefined) return { kind: "other", tokens: [token], written: "", value: "" };
  const takesNext = attached === null && isValue(next);
  const tokens = takesNext ? [token, next] : [token];
  const written = attached ?? (takesNext ? next : "");
  if (valued !== undefined) return { kind: valued, tokens, written, value: written };
  return written === "" ? { kind: "config-without-value", tokens, written, value: "" } : readConfig(tokens, written);
}

function readConfig(tokens: readonly string[], setting: string): PolicyArg {
  const [, key = "", written = ""] = /^([^=]*)=([\s\S]*)$/.exec(setting) ?? [];
  const value = unquote(written.trim());
  if (/^permissions(?:\s*\.|$)/.test(key.trim())) return { kind: "permissions-definition", tokens, written, value };
  switch (key.trim()) {
    case "sandbox_mode":
      return { kind: "sandbox-config", tokens, written, value };
    case "default_permissions": {
      const mode = Object.entries(PERMISSIONS).find(([, name]) => name === value)?.[0];
      return { kind: "permissions-config", tokens, written, value: mode ?? value };
    }
    case "approval_policy":
      return { kind: "approval-config", tokens, written, value };
    case "sandbox_workspace_write.network_access":
      return { kind: "network-config", tokens, written, value };
    case "sandbox_workspace_write": {
      const inner = /\bnetwork_access\s*=\s*(true|false)\b/.exec(value);
      if (inner !== null) return { kind: "network-config", tokens, written, value: inner[1] ?? "" };
    }
  }
  return { kind: "other", tokens, written, value };
}

/** Returns an option's name and its attached value; null for a word that is not an option. */
export function readOption(token: string): { readonly name: string; readonly attached: string | null } | null {
  const [, long, longValue] = /^(--[^=]+)(?:=([\s\S]*))?$/.exec(token) ?? [];
  if (long !== undefined) return { name: long, attached: longValue ?? null };
  const [, short, shortValue] = /^(-[^-])=?([\s\S]*)$/.exec(token) ?? [];
  if (short === undefined) return null;
  return { name: short, attached: token.length === 2 ? null : (shortValue ?? "") };
}

/**
 * True if an argument can be an option's value: Codex accepts no value that begins with a dash, except a single dash.
 */
function isValue(token: string | undefined): token is string {
  return token !== undefined && (!token.startsWith("-") || token === "-");
}

function unquote(text: string): string {
  return /^"[^"\\]*"$|^'[^']*'$/.test(text) ? text.slice(1, -1) : text;
}
