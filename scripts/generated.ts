import manifest from "../package.json" with { type: "json" };
import { manPage } from "../src/adapters/cli/man-page.ts";
import { makeDoorInjection } from "../src/adapters/hook/print.ts";
import { toListedTools } from "../src/adapters/mcp/tool-list.ts";
import { systemClock } from "../src/base/clock.ts";
import { LANGUAGES } from "../src/base/languages.ts";
import { SETTING_NAMES, SETTINGS } from "../src/config/settings.ts";
import { VARIABLES, type VariableRow } from "../src/config/variables.ts";
import { FAULTS } from "../src/contract/faults.ts";
import { toJsonSchema } from "../src/contract/run-document.ts";
import { makeFileEngine } from "../src/engine/engine.ts";
import { endingsOf } from "../src/engine/languages.ts";
import { makeRegistry } from "../src/tools/registry.ts";
import { mcpPolicyRows, policyRows } from "./codex-policy-rows.ts";
import { commandReference, everyCommand, exitRows } from "./command-pages.ts";
import { pluginManifests } from "./plugin-manifests.ts";

const tools = makeRegistry(makeFileEngine(systemClock));

/** Files, or files with blocks between markers, that are generated from the code. Path → content. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ["schema/run-document-1.0.json", `${JSON.stringify(toJsonSchema(), null, 2)}\n`],
    ["hooks/lib/empty-injection.json", `${JSON.stringify(makeDoorInjection())}\n`],
    ["config/auto-tools.yaml", settingsFile()],
    ["man/groundwork.1", manPage(everyCommand(), manifest.version)],
    ...pluginManifests(),
  ]);
}

/** Blocks of documentation: marker name → content. They are between `<!-- generated:NAME -->` and its end marker. */
export function generatedBlocks(): ReadonlyMap<string, string> {
  return new Map([
    ["settings", table(["setting", "variable", "default", "accepted", "what it does"], settingRows())],
    ...Object.entries(VARIABLES).map(
      ([group, rows]) =>
        [`variables-${group}`, table(["variable", "default", "what it does"], variableRows(rows))] as const,
    ),
    ["tools", table(["tool", "tier", "limit", "ceilings", "what it returns"], toolRows())],
    ["mcp-tools", table(["tool", "inputs", "answers with", "what it returns"], mcpRows())],
    ["document", table(["field", "type", "meaning"], documentRows(toJsonSchema(), ""))],
    ["codex-policy", table(["options", "switch", "Codex gets", "and it is said"], policyRows())],
    ["codex-policy-mcp", table(["inputs", "Codex gets", "and it is said"], mcpPolicyRows())],
    ["languages", table(["language", "endings", "files without one", "scripts of"], languageRows())],
    ["commands", commandReference()],
    ["exit-codes", table(["exit code", "meaning"], exitRows())],
    ["faults", table(["code", "exit", "[Limits] text", "meaning"], faultRows())],
  ]);
}

/** Inserts the blocks into a page. */
export function fillBlocks(page: string): string {
  let filled = page;
  for (const [name, content] of generatedBlocks()) {
    const mark = new RegExp(`(<!-- generated:${name} -->\n)[\\s\\S]*?(<!-- end:${name} -->)`);
    filled = filled.replace(mark, (_all, open: string, close: string) => `${open}${content}${close}`);
  }
  return filled;
}

function settingRows(): string[][] {
  return SETTING_NAMES.map((name) => {
    const { key, env, fallback, narrows, accepted, doc } = SETTINGS[name];
    const shown = Array.isArray(fallback) ? "none" : fallback === "" ? "none" : `\`${fallback}\``;
    return [
      narrows !== null ? `\`${key}\`` : "variable only",
      env === "" ? "file only" : `\`${env}\``,
      shown,
      accepted,
      doc,
    ];
  });
}

function variableRows(rows: readonly VariableRow[]): string[][] {
  return rows.map(({ name, usual, doc }) => {
    const names = name.split(", ").map((one) => `\`${one}\``);
    return [
      names.join(", "),
      usual === undefined ? "none" : /[ ~]/.test(usual) ? usual : `\`${usual}\``,
      doc.replace(/<\w+>/g, (mark) => `\`${mark}\``),
    ];
  });
}

function toolRows(): string[][] {
  return tools.map(({ name, tier, timeoutMs, ceilings, summary }) => {
    const most = Object.entries(ceilings).map(([key, max]) => `${key} ≤ ${max}`);
    return [`\`${name}\``, String(tier), `${timeoutMs} ms`, most.join(", ") || "–", summary];
  });
}

/** One row per tool as described to clients; required inputs in bold. */
function mcpRows(): string[][] {
  const namesOf = (schema: object | undefined) => Object.keys((schema as JsonSchema | undefined)?.properties ?? {});
  return toListedTools(tools).map(({ name, description, inputSchema, outputSchema }) => {
    const { required = [], properties = {} } = inputSchema as JsonSchema;
    const inputs = namesOf(inputSchema).map((input) => {
      const { default: usual, enum: values } = properties[input] ?? {};
      const about = [values?.join(", ") ?? "", usual === undefined ? "" : `default ${String(usual)}`];
      const said = about.filter(Boolean).join("; ");
      return `${required.includes(input) ? `**\`${input}\`**` : `\`${input}\``}${said === "" ? "" : ` (${said})`}`;
    });
    const outputs = namesOf(outputSchema).map((key) => `\`${key}\``);
    return [`\`${name}\``, inputs.join(", ") || "–", outputs.join(", ") || "–", description];
  });
}

/** One row per language that has a grammar. */
function languageRows(): string[][] {
  const list = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(" ") || "–";
  return LANGUAGES.filter(({ grammar }) => grammar !== undefined).map((entry) => [
    entry.id,
    list(endingsOf(entry)),
    list(entry.names ?? []),
    list(entry.programs ?? []),
  ]);
}

function faultRows(): string[][] {
  return Object.entries(FAULTS).map(([code, { exit, limit, about }]) => [
    `\`${code}\``,
    String(exit),
    `\`${limit}\``,
    about,
  ]);
}

interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** One row per field, nested fields dotted. The five layers occur twice in a document, but only once here. */
function documentRows(schema: JsonSchema, prefix: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const optional = schema.required?.includes(name) === true ? "" : ", optional";
    const inner = field.items?.properties === undefined ? field : field.items;
    const rows =
      path.startsWith("fused_context.for_model.structured.") && name !== "findings"
        ? []
        : documentRows(inner, `${path}${inner === field ? "" : "[]"}.`);
    return [[`\`${path}\``, `${typeName(field)}${optional}`, field.description ?? ""], ...rows];
  });
}

function typeName(field: JsonSchema): string {
  if (field.enum !== undefined) return field.enum.join(", ");
  if (field.const !== undefined) return String(field.const);
  if (field.anyOf !== undefined) return field.anyOf.map(typeName).join(" or ");
  return field.type === "array" ? `list of ${field.items?.type ?? "any"}` : (field.type ?? "any");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

function settingsFile(): string {
  const lines = [
    "# Settings of Groundwork for this repository. Made from the schema by `npm run generate`; every value is the default.",
    "# A repository's file may only narrow: switch off, lower, exclude, until its user trusts it (groundwork trust). Your",
    "# own file, ~/.groundwork/auto-tools.yaml, has the same keys and may raise budgets. Variables win over both. All of",
    "# it: docs/configuration.md",
    "",
  ];
  let section = "";
  for (const name of SETTING_NAMES) {
    const { key, narrows, fallback, doc } = SETTINGS[name];
    if (narrows === null) continue;
    const [outer = "", inner] = key.split(".");
    if (inner !== undefined && outer !== section) lines.push(`${outer}:`);
    section = inner === undefined ? "" : outer;
    const indent = inner === undefined ? "" : "  ";
    lines.push(`${indent}# ${doc}`);
    const value = Array.isArray(fallback) ? "[]" : String(fallback);
    lines.push(fallback === "" ? `${indent}# ${inner ?? outer}: packages/app` : `${indent}${inner ?? outer}: ${value}`);
  }
  lines.push("", "# The tools. A file can switch one off, put it into a higher tier, and lower its limits.", "tools:");
  for (const { name, tier, timeoutMs, ceilings } of tools) {
    const most = Object.entries(ceilings).map(([key, max]) => `${key}: ${max}`);
    const limits = most.length === 0 ? "" : `, ceilings: { ${most.join(", ")} }`;
    lines.push(`  ${name}: { enabled: true, tier: ${tier}, timeout_ms: ${timeoutMs}${limits} }`);
  }
  return `${lines.join("\n")}\n`;
}
