import type { IncomingHttpHeaders } from "node:http";
import type * as z from "zod/mini";
import type { Holder, Transaction } from "./database.ts";
import { type Reply, refusal } from "./http.ts";

/** An authenticated request. */
export interface RouteCall {
  /** Values of the placeholders in the route's template. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly holder: Holder;
  /** Transaction for all work of the request. */
  readonly transaction: Transaction;
}

/** Handler for one kind of request. */
export interface Route {
  /** The path, with placeholders such as `{repo}`; also the name in logs and metrics, where nothing may be named. */
  readonly template: string;
  /** Pattern of the path, if the template alone would match too much. */
  readonly path?: RegExp;
  /** Maximum size of the body in bytes. */
  readonly maxBytes: number;
  /**
   * True if the request is read-only and all of its statements must see one snapshot of the database; false by default.
   */
  readonly isOneLook?: boolean;
  /** Handlers by method. */
  readonly methods: Readonly<Record<string, (call: RouteCall) => Promise<Reply>>>;
}

/** Placeholders that do not stand for exactly one segment of a path. */
const PLACEHOLDERS: Readonly<Record<string, string>> = { attempt: "\\d{1,6}", object: ".+" };

/** Pattern of a route's path. */
export function patternOf({ template, path }: Route): RegExp {
  const pattern = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => `(${PLACEHOLDERS[name] ?? "[^/]+"})`);
  return path ?? new RegExp(`^${pattern}$`);
}

/**
 * Parses a JSON body of the given shape and handles it; any other body is refused, with the path of the first mismatch.
 */
export async function takeMessage<T>(
  schema: z.ZodMiniType<T>,
  body: Buffer,
  work: (message: T) => Promise<Reply>,
): Promise<Reply> {
  let written: unknown;
  try {
    written = JSON.parse(body.toString("utf8"));
  } catch {
    return refusal(400, "the body is not JSON");
  }
  const { data, error } = schema.safeParse(written);
  if (error === undefined) return work(data);
  const where = error.issues[0]?.path.slice(0, 3).join(".") || "the message";
  return refusal(400, `${where} is malformed`);
}
