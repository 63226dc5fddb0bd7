import { useLayoutEffect, useState } from "preact/hooks";

/** The parts of the page, in the order of the menu. */
export const PARTS = ["runs", "graph", "repository", "value", "team", "jobs"] as const;
/** One of the parts. */
export type Part = (typeof PARTS)[number];

/** Where the reader is. */
export interface Route {
  readonly part: Part;
  /** The run or the job that is shown; empty for the whole part. */
  readonly id: string;
  readonly query: URLSearchParams;
}

/** Reads the part of an address behind its `#`. Contract: never throws; the runs for whatever it does not know. */
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

/** The address of a part, or of one thing in it. Words that say nothing are left out. */
export function toHash(part: Part, id = "", query: Readonly<Record<string, string>> = {}): string {
  const said = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""));
  const place = id === "" ? `#/${part}` : `#/${part}/${encodeURIComponent(id)}`;
  return said.size === 0 ? place : `${place}?${said}`;
}

/** Where the reader is, at every moment. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  // Before anything is drawn, so that no change is missed.
  useLayoutEffect(() => {
    const read = () => setHash(location.hash);
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return parseRoute(hash);
}
