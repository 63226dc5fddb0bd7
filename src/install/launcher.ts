import { join } from "node:path";
import { CLIENTS, type ClientId } from "../contract/clients.ts";
import { STATUS_LINE_WORD } from "./clients/our-commands.ts";

const MARKER = "# groundwork-hook-launcher:";

/** Where this program is, and what runs it. */
export interface Program {
  /** The folder that contains it. */
  readonly root: string;
  /** The node that runs now: a client that was not started from a terminal may find none. */
  readonly node: string;
}

/** Quotes a text for a POSIX shell. Contract: the shell reads back exactly this text, whatever it contains. */
export function quoteShell(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Content of the script that a client calls: it runs the client's door of the program. Contract: if the program is
 * missing, it prints what the client takes for nothing and exits 0, so that moving or removing the program never blocks
 * a prompt; neither does a door that fails or hangs. `GROUNDWORK_NODE` names a node for the door.
 */
export function makeLauncher(client: ClientId, { root, node }: Program): string {
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
 * Runs the door for a client. Whatever its exit code, the launcher's is 0, because 2 blocks a prompt. A client that ends the
 * launcher ends the door with it, which would else keep the output open, and some clients wait for that. With arguments the
 * launcher is called by a person or a script, who gets the door itself.
 */
function linesThatRun(call: string): string[] {
  return [
    `[ "$#" -gt 0 ] && exec ${call} "$@"`,
    "{ command exec 3<&0; } 2>/dev/null || exec 3</dev/null",
    // Before the door is started: a signal may come as soon as it is.
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

/** The door in the program's folder that a client's launcher runs, and the lines that run it. */
export function doorOf(client: ClientId, root: string): { readonly program: string; readonly call: readonly string[] } {
  if (client === "claude")
    return { program: join(root, "hooks", "context-inject-global.sh"), call: linesThatRun('"$door"') };
  // Codex starts the MCP server by the same launcher.
  const server = client === "codex" ? ['[ "$1" = mcp ] && exec "$door" mcp'] : [];
  return { program: join(root, "bin", "groundwork"), call: [...server, ...linesThatRun(`"$door" hook ${client}`)] };
}

/** Only what is known to be read may be printed: other text could reach the model. */
function sayNothing(client: ClientId): string[] {
  if (client !== "claude" && client !== "codex") return [];
  const server = client === "codex" ? ['[ "$1" = mcp ] && exit 1'] : [`[ "$1" = ${STATUS_LINE_WORD} ] && exit 0`];
  const nothing = { hookSpecificOutput: { hookEventName: CLIENTS[client].event, additionalContext: "" } };
  return [...server, `printf '%s\\n' '${JSON.stringify(nothing)}'`];
}
