import type { ServerResponse } from "node:http";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

/** A request to an embedding server. */
export interface EmbeddingRequest {
  readonly path: string;
  readonly model?: string;
  readonly input: readonly string[];
}

/** A loopback server that implements the embeddings part of the OpenAI protocol. */
interface EmbeddingServer extends LoopbackServer {
  readonly requests: EmbeddingRequest[];
}

/** Sends the usual answer: one vector per text. */
export function sendVectors(response: ServerResponse, vectors: readonly (readonly number[])[]): void {
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ object: "list", data, model: "scripted" }));
}

/** Starts a server on a free port. Contract: disposing it ends it, including open connections. */
export async function startEmbeddingServer(
  answer: (request: EmbeddingRequest, response: ServerResponse) => void,
): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Omit<EmbeddingRequest, "path">;
    const asked = { path: request.url ?? "", ...body };
    requests.push(asked);
    answer(asked, response);
  });
  return { ...server, requests };
}
