import type { ShownRun } from "../adapters/hook/status-line.ts";
import type { Environment } from "../base/environment.ts";
import type { ResidentRepository } from "../contract/resident.ts";

/** A question on its way from the thread that listens to the one that answers. */
export interface AskedMessage {
  readonly id: number;
  readonly kind: "hook" | "call";
  readonly env: Environment;
  readonly payload: string;
  /** When it came, by the system's clock. */
  readonly askedAtMs: number;
}

/** A repository to get ready before somebody asks about it. */
export interface WarmMessage {
  readonly kind: "warm";
  readonly env: Environment;
  readonly root: string;
}

/** A repository whose last run is to be looked up in the history. */
export interface LastMessage {
  readonly kind: "last";
  readonly env: Environment;
  readonly root: string;
}

/** What comes back. */
export type WorkerMessage =
  | { readonly kind: "last"; readonly root: string; readonly run: ShownRun | null }
  | { readonly kind: "answer"; readonly id: number; readonly status: number; readonly text: string }
  /** What is held open, told after every question. */
  | { readonly kind: "repositories"; readonly repositories: readonly ResidentRepository[] };
