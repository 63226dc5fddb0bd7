import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that runs until it is disposed. */
export interface LoopbackServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly url: string;
}

/** Starts a server on a free port of this machine. Contract: disposing it ends it, including open connections. */
export async function startLoopbackServer(listener: RequestListener): Promise<LoopbackServer> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
