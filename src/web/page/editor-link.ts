import { isEditorLink } from "../../base/editor-link.ts";

/**
 * URL that opens a place in the user's editor, built from the template in the settings. Contract: null if there is no
 * template or it belongs to no known editor; a path can change nothing but the path.
 */
export function toEditorLink(template: string, root: string, path: string, line: number | null): string | null {
  if (!isEditorLink(template)) return null;
  const whole = path.startsWith("/") ? path : `${root.replace(/\/+$/, "")}/${path}`;
  if (root === "" || !whole.startsWith("/")) return null;
  const written = whole.split("/").map(encodeURIComponent).join("/");
  // The template may already contain the first slash of the path.
  return template.replace(/\/?\{path\}|\{line\}/g, (mark) => (mark === "{line}" ? String(line ?? 1) : written));
}
