import { isEditorLink } from "../../base/editor-link.ts";

/**
 * The address that opens a place in the user's editor, by the template of the settings. Contract: null where there is no
 * template, or one that no editor has; a path can change nothing but the path.
 */
export function toEditorLink(template: string, root: string, path: string, line: number | null): string | null {
  if (!isEditorLink(template)) return null;
  const whole = path.startsWith("/") ? path : `${root.replace(/\/+$/, "")}/${path}`;
  if (root === "" || !whole.startsWith("/")) return null;
  const written = whole.split("/").map(encodeURIComponent).join("/");
  // The first slash of the path may stand in the template already.
  return template.replace(/\/?\{path\}|\{line\}/g, (mark) => (mark === "{line}" ? String(line ?? 1) : written));
}
