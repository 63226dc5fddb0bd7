import { useLayoutEffect, useState } from "preact/hooks";

/** The parts of the page, in the order of the menu. */
export const PARTS = ["runs", "graph", "repository", "value", "team", "jobs"] as const;
/** Name of a part. */
export type Part = (typeof PARTS)[number];

/** The current location within the page. */
export interface Route {
  readonly part: Part;
  /** Id of the run or job shown; empty for the whole part. */
  readonly id: string;
  readonly query: URLSearchParams;
}

/** Parses the fragment of an address. Contract: never throws; defaults to the runs for unknown parts. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const [, name = "", id = ""] = path.split("/");
  const part = PARTS.find((known) => known === name) ?? "runs";
  return { part, id: decode(part === name ? id : ""), query: new URLSearchParams(query) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Address of a part, or of an item in it. Empty parameters are omitted. */
export function toHash(part: Part, id = "", query: Readonly<Record<string, string>> = {}): string {
  const said = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""));
  const place = id === "" ? `#/${part}` : `#/${part}/${encodeURIComponent(id)}`;
  return said.size === 0 ? place : `${place}?${said}`;
}

/** The current route, updated on every change. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  // A layout effect, so that no change before the first paint is missed.
  useLayoutEffect(() => {
    const read = () => setHash(location.hash);
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return parseRoute(hash);
}
