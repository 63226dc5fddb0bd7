import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PageState } from "../wire.ts";
import type { Format } from "./format.ts";
import type { Texts } from "./texts.ts";

/** What every part of the page needs. */
export interface PageContext {
  readonly t: Texts;
  readonly format: Format;
  readonly state: PageState;
  /** Reads the state again after a change. */
  readonly reloadState: () => void;
}

/** Holds it. */
export const PageValue = createContext<PageContext | null>(null);

/** What every part of the page needs. Contract: only inside of the page. */
export function usePage(): PageContext {
  const value = useContext(PageValue);
  if (value === null) throw new Error("outside of the page");
  return value;
}
