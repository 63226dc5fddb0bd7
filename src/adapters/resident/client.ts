import { request } from "node:http";
import { startTimer } from "../../base/timers.ts";
import { BUILD_HEADER } from "../../contract/resident.ts";

interface ResidentRequest {
  readonly socket: string;
  readonly method: "GET" | "POST";
  readonly route: string;
  /** Build of the calling program; not needed for status and stop. */
  readonly build?: string;
  readonly body?: Buffer;
  /** Timeout in milliseconds for the first sign of life. */
  readonly patienceMs: number;
  /** Timeout in milliseconds for the answer, counted from that sign of life and again from the response headers. */
  readonly limitMs: number;
  readonly signal?: AbortSignal;
}

interface ResidentAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request to a resident. Contract: never throws; null if there is no answer, or an incomplete one. */
export function askResident(call: ResidentRequest): Promise<ResidentAnswer | null> {
  const { socket, method, route, build = "", body, patienceMs, limitMs, signal } = call;
  return new Promise((resolve) => {
    const headers = { [BUILD_HEADER]: build, ...(body === undefined ? {} : { "content-length": body.length }) };
    const asked = request({
      socketPath: socket,
      method,
      path: route,
      headers,
      agent: false,
      ...(signal ? { signal } : {}),
    });
    const end = (answer: ResidentAnswer | null) => {
      clearTimeout(timer);
      asked.destroy();
      resolve(answer);
    };
    let timer = startTimer(patienceMs, () => end(null));
    const wait = () => {
      clearTimeout(timer);
      timer = startTimer(limitMs, () => end(null));
    };
    asked.on("information", wait).on("error", () => end(null));
    asked.on("response", (response) => {
      wait();
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", () => end(null));
      response.on("close", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        end(response.complete ? { status: response.statusCode ?? 0, text } : null);
      });
    });
    asked.end(body);
  });
}
