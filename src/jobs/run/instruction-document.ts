const END = "</user-instructions>";

/** With all that a reader might overlook between `<` and the name; bounded, so that the search stays linear. */
const OWN_TAG = /<(?=[\s\\/]{0,16}(?:instructions-section|user-instructions)(?![\w-]))/gi;

/**
 * One section. Contract: whatever the body says, it stays inside: where it names one of the two tags that the document is
 * made of, opening or closing, their `<` is written `&lt;`. Nothing else of it changes, because code and patches must arrive
 * as they are.
 */
export function toSection(type: string, body: string, path: string | null = null): string {
  const where = path === null ? "" : ` path="${toAttribute(path)}"`;
  const inside = body.replace(OWN_TAG, "&lt;");
  const end = inside.endsWith("\n") ? "" : "\n";
  return `<instructions-section type="${toAttribute(type)}"${where}>\n${inside}${end}</instructions-section>\n`;
}

/** The document that codex is given. `time` is ISO 8601. */
export function toDocument(time: string, sections: readonly string[]): string {
  const inside = sections.map((section) => `${section}\n`).join("");
  return `<user-instructions>\n[${time}] Composed instructions:\n\n${inside}${END}\n`;
}

/** The document with one more section at its end. Contract: the body is treated as `toSection` says. */
export function addSection(document: string, type: string, body: string): string {
  const end = document.lastIndexOf(END);
  const at = end < 0 ? document.length : end;
  return `${document.slice(0, at)}${toSection(type, body)}\n${document.slice(at)}`;
}

function toAttribute(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[\u0000-\u001f\u007f]/g, "?").replace(/[&<>"]/g, (sign) => names[sign] ?? sign);
}
