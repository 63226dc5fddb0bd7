import type { LoadedSettings } from "../../config/load-settings.ts";
import { describeServer } from "../../config/mcp-servers.ts";
import { REPOSITORY_FILE, USER_FILE } from "../../config/places.ts";
import { SETTING_NAMES, SETTINGS } from "../../config/settings.ts";
import type { Trust } from "../../config/trust.ts";
import { toLimitsText, toLimitTexts } from "../../contract/limits.ts";
import { guardLimits, guardOwn } from "../../lifecycle/guard.ts";
import { showValue, toTable } from "./table.ts";
import { describeTrust, toLine } from "./trust.ts";

/** Every setting with its value and origin, as data. Contract: what a repository's file says is made harmless. */
export function explainConfig(
  { settings, origins, tools, servers, root, limits, fault }: LoadedSettings,
  trust: Trust,
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
    tools: [...tools].map(([name, rule]) => ({ name, ...rule })),
    servers: servers.map((server) => guardOwn({ name: server.name, what: describeServer(server, { values: false }) })),
    limits: toLimitTexts(guardLimits(limits)),
    fault: fault === null ? null : guardOwn([fault.message, fault.hint].filter(Boolean).join("; ")),
  };
}

/** The same for people. */
export function printConfig(loaded: LoadedSettings, trust: Trust): string {
  const { settings, tools, servers, repo_root, repo_root_source, fault } = explainConfig(loaded, trust);
  const rows = settings.map(({ key, value, origin, env }) => [key, showValue(value), origin, env]);
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
    `Root: ${toLine(repo_root)} (${repo_root_source})\nTrust: ${describeTrust(trust)}`,
    toTable([["setting", "value", "from", "variable"], ...rows]),
    toTable([["tool", "use", "tier", "limit", "ceilings"], ...toolRows]),
    servers.length === 0
      ? ""
      : toTable([["MCP server", "what it is"], ...servers.map(({ name, what }) => [name, toLine(what)])]),
    toLimitsText(guardLimits(loaded.limits)),
    fault === null ? "" : `Error: ${fault}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
