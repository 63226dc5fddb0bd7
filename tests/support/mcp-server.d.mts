/** A response that the test writes itself. */
export interface Answering {
  readonly writeHead: (status: number, headers?: Readonly<Record<string, string>>) => Answering;
  readonly end: (text?: string) => void;
  readonly destroy: () => void;
}

/** A server on this machine. */
export interface HttpServer {
  readonly url: string;
  readonly requests: { readonly method: string; readonly headers: Readonly<Record<string, string>> }[];
  /** If `answer` is set, it answers instead of the server. */
  readonly state: { answer: ((outgoing: Answering) => void) | null };
  readonly close: () => Promise<void>;
}

/** Serves the test's tools over HTTP on this machine. */
export function serveHttp(): Promise<HttpServer>;
