import { useLayoutEffect, useState } from "preact/hooks";
import { isRecord, textOf } from "../../base/text.ts";
import type { RunRow } from "../../contract/run-history.ts";

/** Why the server did not answer. */
export class ApiError extends Error {
  /** HTTP status; 0 where nobody answers. */
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
    // An answer may also be lost halfway.
    value = await response.json();
  } catch {
    throw new ApiError(0, "");
  }
  if (response.ok) return value as T;
  const said = isRecord(value) ? textOf(value, "error") : "";
  throw new ApiError(response.status, said);
}

/** Reads from the server. Contract: rejects with an `ApiError`. */
export function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return ask(path, signal === undefined ? {} : { signal });
}

/** Asks the server for a change. Contract: rejects with an `ApiError`. */
export function postJson(path: string, body: unknown): Promise<{ readonly done: unknown }> {
  return ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

/** What was asked for: not there yet, there, or the reason why not. */
export interface Loaded<T> {
  readonly value: T | null;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Reads something and reads it again whenever the path changes; what was read before stays until then. */
export function useLoaded<T>(path: string | null): Loaded<T> {
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
 * Hears of new runs until the returned function is called; `onOpen` is called whenever the connection stands anew, `onLost`
 * when it is lost.
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
