import type { Environment } from "../../base/environment.ts";
import { cutText } from "../../base/text.ts";
import type { LoadedSettings } from "../../config/load-settings.ts";
import { describeServer } from "../../config/mcp-servers.ts";
import { REPOSITORY_FILE, USER_FILE } from "../../config/places.ts";
import { SETTING_NAMES, SETTINGS } from "../../config/settings.ts";
import type { Trust } from "../../config/trust.ts";
import { isRowOf, VARIABLES, type VariableRow } from "../../config/variables.ts";
import { sayFault } from "../../contract/faults.ts";
import { toLimitsText, toLimitTexts } from "../../contract/limits.ts";
import { guardLimits, guardOwn } from "../../lifecycle/guard.ts";
import { type Column, type Screen, table } from "./layout.ts";
import { describeTrust, showValue, toLine } from "./trust.ts";

/** Maximum length of a displayed variable value; some contain whole texts. */
const MAX_VALUE_CHARS = 60;
/** Maximum width of a name column. A wider name is on the line above its value; cut, it could not be used. */
const MOST_NAME_COLUMNS = 36;
const WRAPPED: Column = { tooWide: "wrap", least: 8 };

/** All settings and variables with value and origin, as data. Contract: content of a repository's file is sanitised. */
export function explainConfig(
  { settings, origins, tools, servers, root, limits, fault }: LoadedSettings,
  trust: Trust,
  env: Environment,
) {
  return {
    repo_root: root.root,
    repo_root_source: root.source,
    trust,
    files: { user: `~/${USER_FILE}`, repository: REPOSITORY_FILE },
    settings: SETTING_NAMES.map((name) => ({
      key: SETTINGS[name].key,
      value: guardOwn(settings[name]),
      origin: origins[name],
      env: SETTINGS[name].env,
      doc: SETTINGS[name].doc,
    })),
    variables: Object.entries(VARIABLES).flatMap(([group, rows]) =>
      rows.map((row) => ({ name: row.name, group, set: valuesOf(row, env), usual: row.usual ?? "", doc: row.doc })),
    ),
    tools: [...tools].map(([name, rule]) => ({ name, ...rule })),
    servers: servers.map((server) => guardOwn({ name: server.name, what: describeServer(server, { values: false }) })),
    limits: toLimitTexts(guardLimits(limits)),
    fault: fault === null ? null : guardOwn(sayFault(fault)),
  };
}

/** Values of the variables that a row covers, if set, with secrets redacted. */
function valuesOf(row: VariableRow, env: Environment): Record<string, string> {
  const own = Object.entries(env).filter(([name]) => isRowOf(row, name));
  return Object.fromEntries(own.map(([name, value = ""]) => [name, guardOwn({ [name]: value })[name] ?? ""]));
}

/** The same for people. */
export function printConfig(loaded: LoadedSettings, trust: Trust, env: Environment, screen: Screen): string {
  const show = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    table([head.map((text) => ({ text, paint: screen.paint.bold })), ...rows], {
      width: screen.columns,
      columns: [screen.columns === null ? {} : { most: MOST_NAME_COLUMNS }, WRAPPED, {}, WRAPPED, WRAPPED],
    });
  const { settings, variables, tools, servers, repo_root, repo_root_source, fault } = explainConfig(loaded, trust, env);
  const rows = settings.map(({ key, value, origin, env }) => [key, showValue(value), origin, env]);
  const variableRows = variables.flatMap(({ name, set, usual }) => {
    const values = Object.entries(set);
    const shown = values.map(([own, value]) => [own, cutText(showValue(value), MAX_VALUE_CHARS).text, "environment"]);
    return shown.length > 0 ? shown : [[name, showValue(usual), "default"]];
  });
  const toolRows = tools.map(({ name, enabled, tier, timeoutMs, ceilings }) => [
    name,
    enabled ? "on" : "off",
    `tier ${tier}`,
    `${timeoutMs} ms`,
    Object.entries(ceilings)
      .map(([input, most]) => `${input} <= ${most}`)
      .join(", "),
  ]);
  const serverRows = servers.map(({ name, what }) => [name, toLine(what)]);
  const parts = [
    `Root: ${toLine(repo_root)} (${repo_root_source})\nTrust: ${describeTrust(trust)}`,
    show(["setting", "value", "from", "variable"], rows),
    show(["other variable", "value", "from"], variableRows),
    show(["tool", "use", "tier", "limit", "ceilings"], toolRows),
    serverRows.length === 0 ? "" : show(["MCP server", "what it is"], serverRows),
    toLimitsText(guardLimits(loaded.limits)),
    fault === null ? "" : `Error: ${fault}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
