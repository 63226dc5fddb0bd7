import type { Client } from "./run-document.ts";

interface ClientCap {
  /** How the client counts: UTF-16 code units or UTF-8 bytes. */
  readonly unit: "utf16" | "bytes";
  /** Most units of injected text. Below the client's own 10,000, above which it shows the model only a preview. */
  readonly max: number;
}

/** What each client takes inline, by its own way of counting. */
export const CLIENT_CAPS: { readonly [name in Client["name"]]: ClientCap } = {
  "claude-code": { unit: "utf16", max: 9_500 },
  "codex-cli": { unit: "bytes", max: 9_500 },
};

/** Size of a text in a client's unit. */
export function measureFor(client: Client["name"], text: string): number {
  return CLIENT_CAPS[client].unit === "bytes" ? Buffer.byteLength(text, "utf8") : text.length;
}
