import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeClient, makeTeam } from "../../tests/support/team.ts";
import { countUsualMs } from "../../tests/support/timed.ts";
import { makeHttpStore } from "./http-store.ts";

const { root, publish, store: folder, pair } = makeTeam(3);
const IDLE_MS = 300;
beforeAll(() => publish());

/** Serves requests while `work` runs. */
async function withServer<T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/bases`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const bringFrom = (url: string, more = {}) =>
  makeClient(root, folder, [pair.publicKey]).bring(undefined, makeHttpStore(url, null, IDLE_MS), more);

/** Returns the stored file for the requested URL. */
const read = (url = "") => readFileSync(join(folder.place, url.replace("/bases/", "")));

const SERVERS: Record<string, { readonly listener: RequestListener; readonly state: string; readonly said: string }> = {
  "never answers": { listener: () => {}, state: "unreachable", said: "does not answer" },
  "never answers after the list": {
    listener: ({ url }, response) => (url?.endsWith("list.json") === true ? response.end(read(url)) : undefined),
    state: "unreachable",
    said: "does not answer",
  },
  "answers with an HTML page": {
    listener: (_, response) => response.end("<html>It works!</html>"),
    state: "refused",
    said: "is not signed",
  },
  redirects: {
    listener: (_, response) => response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
    state: "unreachable",
    said: "answers with 302",
  },
  "answers with an error": {
    listener: (_, response) => response.writeHead(503).end("later"),
    state: "unreachable",
    said: "answers with 503",
  },
  "disconnects in the middle": {
    listener: ({ url }, response) => {
      response.writeHead(200, { "content-length": 1_000_000 });
      response.write(read(url), () => response.destroy());
    },
    state: "unreachable",
    said: "does not answer",
  },
  "sends an endless answer": {
    listener: (_, response) => {
      const more = () => response.write(Buffer.alloc(1024 * 1024), more);
      more();
    },
    state: "unreachable",
    said: "does not answer",
  },
  "sends another object": {
    listener: ({ url }, response) => response.end(url?.includes("/objects/") ? Buffer.alloc(100) : read(url)),
    state: "refused",
    said: "does not match its name",
  },
};

describe("[T-6] a server that", () => {
  it.each(Object.entries(SERVERS))("%s costs only the base, and the reason is reported", async (_, server) => {
    const { listener, state, said } = server;
    const usualMs = countUsualMs();
    const brought = await withServer(listener, bringFrom);
    expect(brought).toMatchObject({ state, reason: expect.stringContaining(said), base: null });
    expect(usualMs()).toBeLessThan(5_000);
  });

  it("is too slow is given up in time, and the downloaded part is kept", async () => {
    const drip: RequestListener = ({ url }, response) => {
      if (url?.includes("/objects/") !== true) return void response.end(read(url));
      const bytes = read(url);
      // Manifests are sent at once.
      if (bytes[0] === "{".charCodeAt(0)) return void response.end(bytes);
      response.writeHead(200, { "content-length": bytes.length });
      let at = 0;
      const timer = setInterval(() => response.write(bytes.subarray(at, ++at)), 20);
      response.once("close", () => clearInterval(timer));
    };
    const brought = await withServer(drip, (url) => bringFrom(url, { limitMs: 500 }));
    expect(brought).toMatchObject({ state: "unreachable", reason: expect.stringContaining("too slow"), base: null });
  });
});
