import { join } from "node:path";
import { quoteShell } from "../base/quote-shell.ts";
import { CLIENTS, type ClientId } from "../contract/clients.ts";
import { STATUS_LINE_WORD } from "./clients/our-commands.ts";

const MARKER = "# groundwork-hook-launcher:";

/** Location of this program, and the node that runs it. */
export interface InstalledProgram {
  /** The folder that contains it. */
  readonly root: string;
  /** Path of the current node: a client that was not started from a terminal may not find one. */
  readonly node: string;
}

/**
 * Returns the script that a client calls, which runs the client's door of the program. Contract: neither a missing
 * program nor a door that fails or hangs blocks a prompt; without the program, the script prints what the client treats
 * as an empty answer and exits 0. `GROUNDWORK_NODE` overrides the node for the door.
 */
export function makeLauncher(client: ClientId, { root, node }: InstalledProgram): string {
  const { program, call } = doorOf(client, root);
  const lines = [
    "#!/bin/sh",
    `${MARKER} written by "groundwork install"; an upgrade rewrites it, uninstall removes it.`,
    `door=${quoteShell(program)}`,
    `GROUNDWORK_NODE=\${GROUNDWORK_NODE:-${quoteShell(node)}}`,
    "export GROUNDWORK_NODE",
    'if [ -f "$door" ] && [ -x "$door" ]; then',
    ...call.map((line) => `  ${line}`),
    "fi",
    ...sayNothing(client),
    "exit 0",
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Runs the door for a client. The launcher exits 0 whatever the door's exit code, because 2 blocks a prompt. A signal
 * to the launcher is forwarded to the door, which would otherwise keep the output open, and some clients wait for that.
 * With arguments the launcher was called by a person or a script, and the door replaces it.
 */
function linesThatRun(call: string): string[] {
  return [
    `[ "$#" -gt 0 ] && exec ${call} "$@"`,
    "{ command exec 3<&0; } 2>/dev/null || exec 3</dev/null",
    // Set the trap before the door starts: a signal may arrive at once.
    "child='' ended=''",
    `trap 'ended=1; [ -z "$child" ] || kill "$child" 2>/dev/null' TERM INT HUP`,
    `${call} <&3 3<&- &`,
    "child=$!",
    '[ -z "$ended" ] || kill "$child" 2>/dev/null',
    'wait "$child"',
    "exit 0",
  ];
}

/** True for a launcher of ours, even if edited or written by another version. */
export function isOurLauncher(content: string): boolean {
  return content.split(/\r?\n/).some((line) => line.startsWith(MARKER));
}

/** Returns the door that a client's launcher runs, and the lines that run it. */
export function doorOf(client: ClientId, root: string): { readonly program: string; readonly call: readonly string[] } {
  if (client === "claude")
    return { program: join(root, "hooks", "context-inject-global.sh"), call: linesThatRun('"$door"') };
  // Codex starts the MCP server through the same launcher.
  const server = client === "codex" ? ['[ "$1" = mcp ] && exec "$door" mcp'] : [];
  return { program: join(root, "bin", "groundwork"), call: [...server, ...linesThatRun(`"$door" hook ${client}`)] };
}

/** Prints only what the client is known to parse: other text could reach the model. */
function sayNothing(client: ClientId): string[] {
  if (client !== "claude" && client !== "codex") return [];
  const server = client === "codex" ? ['[ "$1" = mcp ] && exit 1'] : [`[ "$1" = ${STATUS_LINE_WORD} ] && exit 0`];
  const nothing = { hookSpecificOutput: { hookEventName: CLIENTS[client].event, additionalContext: "" } };
  return [...server, `printf '%s\\n' '${JSON.stringify(nothing)}'`];
}
