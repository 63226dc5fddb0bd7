import { join } from "node:path";
import { isRecord } from "../base/text.ts";
import { readFileState } from "./file-state.ts";
import { quoteShell } from "./launcher.ts";

/** Commands that add our plugin to Claude Code; null if this installation has no plugin. */
export function pluginCommands(root: string): readonly string[] | null {
  const file = readFileState(join(root, ".claude-plugin", "marketplace.json"));
  if (file.kind !== "file") return null;
  try {
    const data: unknown = JSON.parse(file.bytes.toString("utf8"));
    const plugins = isRecord(data) ? data["plugins"] : null;
    const first: unknown = Array.isArray(plugins) ? plugins[0] : null;
    if (!isRecord(data) || !isRecord(first)) return null;
    const name = `${String(first["name"])}@${String(data["name"])}`;
    return [`claude plugin marketplace add ${quoteShell(root)}`, `claude plugin install ${name}`];
  } catch {
    return null;
  }
}
