import type { LoadedSettings } from "../../config/load-settings.ts";
import { REPOSITORY_FILE, USER_FILE } from "../../config/places.ts";
import { SETTING_NAMES, SETTINGS } from "../../config/settings.ts";
import { toLimitsText } from "../../contract/limits.ts";

/** Every setting with its value and origin, as data. */
export function explainConfig({ settings, origins, tools, root, limits, fault }: LoadedSettings) {
  return {
    repo_root: root.root,
    repo_root_source: root.source,
    files: { user: `~/${USER_FILE}`, repository: REPOSITORY_FILE },
    settings: SETTING_NAMES.map((name) => ({
      key: SETTINGS[name].key,
      value: settings[name],
      origin: origins[name],
      env: SETTINGS[name].env,
      doc: SETTINGS[name].doc,
    })),
    tools: [...tools].map(([name, rule]) => ({ name, ...rule })),
    limits,
    fault: fault === null ? null : [fault.message, fault.hint].filter(Boolean).join("; "),
  };
}

/** The same for people. */
export function printConfig(loaded: LoadedSettings): string {
  const { settings, tools, repo_root, repo_root_source, limits, fault } = explainConfig(loaded);
  const rows = settings.map(({ key, value, origin, env }) => [key, show(value), origin, env]);
  const toolRows = tools.map(({ name, enabled, tier, timeoutMs, ceilings }) => [
    name,
    enabled ? "on" : "off",
    `tier ${tier}`,
    `${timeoutMs} ms`,
    Object.entries(ceilings)
      .map(([input, most]) => `${input} <= ${most}`)
      .join(", "),
  ]);
  const parts = [
    `Root: ${repo_root} (${repo_root_source})`,
    toTable([["setting", "value", "from", "variable"], ...rows]),
    toTable([["tool", "use", "tier", "limit", "ceilings"], ...toolRows]),
    toLimitsText(limits),
    fault === null ? "" : `Error: ${fault}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : value.join(", ");
  return value === "" ? "(none)" : String(value);
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
