const MARKER = "# groundwork-hook-launcher:";
const EMPTY_INJECTION = '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""}}';

/** Quotes a text for a POSIX shell. Contract: the shell reads back exactly this text, whatever it contains. */
export function quoteShell(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Content of the script that Claude Code calls: it runs the entry point in the project's folder.
 * Contract: if the entry point is missing, it prints an empty injection and exits 0, so that moving the project never
 * blocks a prompt.
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

/** True for a launcher of ours, even if edited or written by another version. */
export function isOurLauncher(content: string): boolean {
  return content.split(/\r?\n/).some((line) => line.startsWith(MARKER));
}
