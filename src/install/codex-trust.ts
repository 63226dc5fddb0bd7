import { isRecord } from "../base/text.ts";
import type { ClientFiles } from "./clients/client-install.ts";
import { findOurEntries } from "./clients/find-clients.ts";
import { parseToml } from "./edit/toml-text.ts";
import { readFileState } from "./file-state.ts";

/** Tells the user what to do about a hook that Codex does not trust yet. */
export const TRUST_REMEDY =
  'Codex runs a hook only once you have trusted it: start "codex" and choose "Trust all and continue", or use /hooks there';

/**
 * True if Codex has recorded a decision of the user about our hook. Contract: read-only; cannot distinguish "changed"
 * from "trusted", because only Codex knows how it computes its hash; false if there is no hook of ours.
 */
export function hasTrustRecord(files: ClientFiles): boolean {
  const [hooks, config] = files.entries;
  if (hooks === undefined || config === undefined) return false;
  const found = findOurEntries(files).find(({ path }) => path === hooks.path)?.entries;
  const position = found?.ok === true ? found.value[0]?.position : undefined;
  const file = readFileState(config.path);
  if (position === undefined || file.kind !== "file") return false;
  const toml = parseToml(config.path, file.bytes);
  const table = toml.ok ? toml.value.data["hooks"] : null;
  const state = isRecord(table) && isRecord(table["state"]) ? table["state"] : {};
  const entry = state[`${hooks.path}:user_prompt_submit:${position}`];
  return isRecord(entry) && typeof entry["trusted_hash"] === "string";
}
