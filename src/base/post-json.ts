import { isLoopbackUrl, type ServerRequest, sendRequest } from "./send-request.ts";

interface PostAnswer {
  readonly status: number;
  readonly text: string;
}

interface PostRequest extends Pick<ServerRequest, "url" | "headers" | "signal" | "maxBytes"> {
  readonly json: string;
}

/** Posts JSON to a server on this machine. Contract: as `postJson`; null for every other address. */
export async function postLocally(request: PostRequest): Promise<PostAnswer | null> {
  return isLoopbackUrl(request.url) ? postJson(request) : null;
}

/** Posts JSON. Contract: as `sendRequest`. */
export async function postJson({ json, headers, ...request }: PostRequest): Promise<PostAnswer | null> {
  const all = { ...headers, "content-type": "application/json" };
  const answer = await sendRequest({ ...request, method: "POST", headers: all, body: json });
  return answer === null ? null : { status: answer.status, text: answer.body.toString("utf8") };
}
