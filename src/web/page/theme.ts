import { useEffect, useState } from "preact/hooks";

/** The themes that a user can choose; `auto` follows the system. */
const THEMES = ["auto", "light", "dark"] as const;
/** Name of a theme. */
export type Theme = (typeof THEMES)[number];

/** Key of the choice in local storage, and name of the event that tells of a change. */
const NAME = "groundwork-theme";

function readTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(NAME)) ?? "auto";
  } catch {
    // The browser blocks local storage.
    return "auto";
  }
}

/** Applies the chosen colours before the first paint. */
export function applyTheme(theme: Theme = readTheme()): void {
  document.documentElement.dataset["theme"] = theme;
}

/** The chosen theme, and a function that switches to the next one. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    applyTheme(theme);
    dispatchEvent(new Event(NAME));
    try {
      localStorage.setItem(NAME, theme);
    } catch {
      // The choice lasts until the page is closed.
    }
  }, [theme]);
  return [theme, () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto")];
}

/** A counter that changes whenever the colours do: pictures with resolved colours are redrawn. */
export function useColours(): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const next = () => setTurn((last) => last + 1);
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", next);
    addEventListener(NAME, next);
    return () => {
      system.removeEventListener("change", next);
      removeEventListener(NAME, next);
    };
  }, []);
  return turn;
}
