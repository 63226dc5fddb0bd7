/** An answer under the test's hand. */
export interface Answering {
  readonly writeHead: (status: number, headers?: Readonly<Record<string, string>>) => Answering;
  readonly end: (text?: string) => void;
  readonly destroy: () => void;
}

/** A server on this machine. */
export interface HttpServer {
  readonly url: string;
  readonly requests: { readonly method: string; readonly headers: Readonly<Record<string, string>> }[];
  /** Answers in its place while there is one. */
  readonly state: { answer: ((outgoing: Answering) => void) | null };
  readonly close: () => Promise<void>;
}

/** Serves the test's tools over HTTP on this machine. */
export function serveHttp(): Promise<HttpServer>;
