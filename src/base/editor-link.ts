/** Schemes of web pages and of addresses that a browser would execute. */
const NO_EDITOR = /^(?:javascript|vbscript|data|blob|filesystem|about|view-source|https?|wss?|ftp):/i;
const LINK = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]*\{path\}[\x21-\x7e]*$/i;
const MAX_CHARS = 500;

/**
 * True for an editor link with the placeholder `{path}`. Contract: false for web pages and for anything that a browser
 * would execute.
 */
export function isEditorLink(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_CHARS && LINK.test(value) && !NO_EDITOR.test(value);
}
