/** Addresses of pages, and of what a browser would run. */
const NO_EDITOR = /^(?:javascript|vbscript|data|blob|filesystem|about|view-source|https?|wss?|ftp):/i;
const LINK = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]*\{path\}[\x21-\x7e]*$/i;
const MAX_CHARS = 500;

/** True for the address of a place in an editor, with `{path}` in it. Contract: no page and no program of a page is one. */
export function isEditorLink(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_CHARS && LINK.test(value) && !NO_EDITOR.test(value);
}
