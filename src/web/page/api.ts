import { useLayoutEffect, useState } from "preact/hooks";
import { isRecord, textOf } from "../../base/text.ts";
import type { RunRow } from "../../contract/run-history.ts";

/** Failure of a request to the server. */
export class ApiError extends Error {
  /** HTTP status; 0 if the server does not answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  let value: unknown;
  try {
    response = await fetch(`/api/${path}`, { credentials: "same-origin", cache: "no-store", ...init });
    // The response may also break off halfway.
    value = await response.json();
  } catch {
    throw new ApiError(0, "");
  }
  if (response.ok) return value as T;
  const said = isRecord(value) ? textOf(value, "error") : "";
  throw new ApiError(response.status, said);
}

/** Reads data from the server. Contract: rejects with an `ApiError`. */
export function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return ask(path, signal === undefined ? {} : { signal });
}

/** Requests a change from the server. Contract: rejects with an `ApiError`. */
export function postJson(path: string, body: unknown): Promise<{ readonly done: unknown }> {
  return ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

/** Loads a path, and loads again whenever the path changes; the previous value is kept until then. */
export function useLoaded<T>(path: string | null) {
  const [turn, setTurn] = useState(0);
  const [held, setHeld] = useState<{ path: string | null; value: T | null; error: ApiError | null }>({
    path: null,
    value: null,
    error: null,
  });
  useLayoutEffect(() => {
    if (path === null) return;
    const end = new AbortController();
    getJson<T>(path, end.signal).then(
      (value) => {
        if (!end.signal.aborted) setHeld({ path, value, error: null });
      },
      (thrown) => {
        if (!end.signal.aborted) setHeld({ path, value: null, error: thrown as ApiError });
      },
    );
    return () => end.abort();
  }, [path, turn]);
  return {
    value: held.value,
    error: held.path === path ? held.error : null,
    isLoading: held.path !== path,
    reload: () => setTurn((last) => last + 1),
  };
}

/**
 * Listens for new runs until the returned function is called; `onOpen` is called on every connection, also after a
 * loss, and `onLost` when the connection is lost.
 */
export function listenToRuns(
  onRuns: (rows: readonly RunRow[]) => void,
  onOpen: () => void,
  onLost: () => void,
): () => void {
  const source = new EventSource("/api/events");
  source.addEventListener("runs", (event) => onRuns(JSON.parse(event.data) as RunRow[]));
  source.addEventListener("ready", onOpen);
  source.addEventListener("error", onLost);
  return () => source.close();
}
