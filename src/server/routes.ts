import type { IncomingHttpHeaders } from "node:http";
import type * as z from "zod/mini";
import { type Outcome, succeed } from "../contract/faults.ts";
import type { Holder, Transaction } from "./database.ts";
import { type Reply, refusal } from "./http.ts";

/** A request of somebody who holds a token. */
export interface RouteCall {
  /** What the pattern of the path has caught, decoded. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly holder: Holder;
  /** Everything that is done for the request: a fault undoes it. */
  readonly transaction: Transaction;
}

/** Requests of one kind. */
export interface Route {
  /** As logs and metrics call it: no name of a repository is in it. */
  readonly template: string;
  readonly path: RegExp;
  /** Most bytes of a body. */
  readonly maxBytes: number;
  /** Whether it changes nothing, and must see one state of the database with all of its statements; absent means no. */
  readonly isOneLook?: boolean;
  /** What answers, by method. */
  readonly methods: Readonly<Record<string, (call: RouteCall) => Promise<Outcome<Reply>>>>;
}

/** Answers a body that is JSON of this shape; any other one is refused, with where it differs. */
export async function takeMessage<T>(
  schema: z.ZodMiniType<T>,
  body: Buffer,
  work: (message: T) => Promise<Reply>,
): Promise<Outcome<Reply>> {
  let written: unknown;
  try {
    written = JSON.parse(body.toString("utf8"));
  } catch {
    return succeed(refusal(400, "the body is no JSON"));
  }
  const { data, error } = schema.safeParse(written);
  if (error === undefined) return succeed(await work(data));
  const where = error.issues[0]?.path.slice(0, 3).join(".") || "the message";
  return succeed(refusal(400, `${where} is not as it should be`));
}
