import type { IncomingHttpHeaders } from "node:http";
import type { Outcome } from "../contract/faults.ts";
import type { Holder, Transaction } from "./database.ts";
import type { Reply } from "./http.ts";

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
  /** What answers, by method. */
  readonly methods: Readonly<Record<string, (call: RouteCall) => Promise<Outcome<Reply>>>>;
}
