import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PageState } from "../wire.ts";
import type { makeFormat } from "./format.ts";
import type { Texts } from "./texts.ts";

/** Data that every part of the page needs. */
export interface PageContext {
  readonly t: Texts;
  readonly format: ReturnType<typeof makeFormat>;
  readonly state: PageState;
  /** Reloads the state after a change. */
  readonly reloadState: () => void;
}

/** Preact context that holds the `PageContext`. */
export const PageValue = createContext<PageContext | null>(null);

/** Returns the page context. Contract: throws outside the page. */
export function usePage(): PageContext {
  const value = useContext(PageValue);
  if (value === null) throw new Error("outside of the page");
  return value;
}
