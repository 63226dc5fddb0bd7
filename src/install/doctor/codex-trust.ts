import { isRecord } from "../../base/text.ts";
import type { ClientFiles } from "../clients/client-install.ts";
import { isOurCommand } from "../clients/our-commands.ts";
import { hasTrustRecord } from "../codex-trust.ts";
import { talk } from "./json-rpc.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";
import type { World } from "./world.ts";

/** Time limit for Codex to list its hooks. */
export const TRUST_LIMIT_MS = 6_000;
const CHECK = checkOf("trusted", "trusted by you");
const REMEDY = {
  text: 'start "codex" and choose to trust the hook, or type /hooks there',
  section: "the-hook-is-not-trusted",
} as const;

/** Asks Codex whether it would run our hook. If Codex cannot be asked, its trust records decide. */
export async function checkCodexTrust(
  world: World,
  { codex, files, signal }: { readonly codex: string; readonly files: ClientFiles; readonly signal: AbortSignal },
): Promise<UngroupedCheck> {
  const clientInfo = { name: "groundwork-doctor", version: "1" };
  const messages = [
    { id: 1, method: "initialize", params: { clientInfo } },
    { method: "initialized", params: {} },
    { id: 2, method: "hooks/list", params: { cwds: [world.folder] } },
  ];
  const program = { command: codex, args: ["app-server"], cwd: world.folder, env: world.env };
  const { results, why } = await talk(world, program, messages, { limitMs: TRUST_LIMIT_MS, signal });
  const say = (measured: string) => CHECK.poor("warn", measured, REMEDY);
  const listed = readList(results.get(2));
  if (why !== "" || listed === null) {
    const silent = `codex app-server: ${why || "it answers otherwise"}`;
    return hasTrustRecord(files) ? CHECK.fine(`on record (${silent})`) : say(`not on record (${silent})`);
  }
  const ours = listed.hooks.filter(
    ({ command, eventName }) =>
      eventName === "userPromptSubmit" && typeof command === "string" && isOurCommand(command),
  );
  if (ours.length === 0) return say(["Codex does not list it", ...listed.warnings].join("; "));
  const bad = ours.find(({ trustStatus }) => trustStatus !== "trusted" && trustStatus !== "managed");
  if (bad !== undefined) return say(String(bad["trustStatus"]));
  if (ours.some(({ enabled }) => enabled === false)) return say("trusted, but switched off in Codex");
  return CHECK.fine(String(ours[0]?.["trustStatus"]));
}

function readList(result: unknown): { readonly hooks: Record<string, unknown>[]; readonly warnings: string[] } | null {
  const folders = isRecord(result) && Array.isArray(result["data"]) ? result["data"].filter(isRecord) : null;
  if (folders === null) return null;
  const listOf = (key: string) =>
    folders.flatMap((folder): unknown[] => (Array.isArray(folder[key]) ? folder[key] : []));
  const warnings = [...listOf("warnings"), ...listOf("errors")];
  return { hooks: listOf("hooks").filter(isRecord), warnings: warnings.map(sayWarning) };
}

function sayWarning(warning: unknown): string {
  if (isRecord(warning) && typeof warning["message"] === "string") return warning["message"];
  return typeof warning === "string" ? warning : JSON.stringify(warning);
}
