import type { ShownRun } from "../adapters/hook/status-line.ts";
import type { Environment } from "../base/environment.ts";
import type { ResidentRepository } from "../contract/resident.ts";

/** A question passed from the listening thread to the answering thread. */
export interface AskedMessage {
  readonly id: number;
  readonly kind: "hook" | "call";
  readonly env: Environment;
  readonly payload: string;
  /** Time of arrival, by the system clock. */
  readonly askedAtMs: number;
}

/** A repository to prepare before the first question about it. */
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

/** Messages from the answering thread. */
export type WorkerMessage =
  | { readonly kind: "last"; readonly root: string; readonly run: ShownRun | null }
  | { readonly kind: "answer"; readonly id: number; readonly status: number; readonly text: string }
  /** The repositories held open, sent after every question. */
  | { readonly kind: "repositories"; readonly repositories: readonly ResidentRepository[] };
