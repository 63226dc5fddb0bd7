const MARKER = "# groundwork-hook-launcher:";
const EMPTY_INJECTION = '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""}}';

/** Quotes a text for a POSIX shell. Contract: the shell reads back exactly this text, whatever is in it. */
export function quoteShell(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Text of the file that Claude Code calls: it hands over to the door in the project's folder.
 * Contract: where the door is gone it prints an empty injection and exits 0, so a moved project never costs a prompt.
 */
export function makeLauncher(hookDoor: string): string {
  return `#!/bin/sh
${MARKER} written by install.sh; an upgrade rewrites it, uninstall removes it.
door=${quoteShell(hookDoor)}
if [ -f "$door" ] && [ -x "$door" ]; then
  exec "$door" "$@"
fi
printf '%s\\n' '${EMPTY_INJECTION}'
exit 0
`;
}

/** True for a launcher of ours, also one that was edited or that another version wrote. */
export function isOurLauncher(content: string): boolean {
  return content.split(/\r?\n/).some((line) => line.startsWith(MARKER));
}
