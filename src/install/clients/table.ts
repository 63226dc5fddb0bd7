import type { ClientId } from "../../contract/clients.ts";
import { claude } from "./claude.ts";
import type { ClientInstall } from "./client-install.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { kimi } from "./kimi.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

/** How each client is installed; used by install, uninstall and doctor. */
export const CLIENT_INSTALLS: Readonly<Record<ClientId, ClientInstall>> = {
  claude,
  codex,
  gemini,
  copilot,
  qwen,
  kimi,
  opencode,
};
