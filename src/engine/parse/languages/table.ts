import { LANGUAGES as ENTRIES } from "../../../base/languages.ts";
import { entryOfEnding } from "../../languages.ts";
import type { Language } from "../language.ts";
import { endingOfScript } from "../script.ts";
import { bash } from "./bash.ts";
import { c, cpp } from "./c.ts";
import { csharp } from "./csharp.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { kotlin } from "./kotlin.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { scala } from "./scala.ts";
import { swift } from "./swift.ts";
import { javascript, tsx, typescript } from "./typescript.ts";

/** Every language that is parsed for symbols. */
export const PARSED_LANGUAGES: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  c,
  cpp,
  csharp,
  ruby,
  php,
  kotlin,
  swift,
  scala,
  bash,
];

const byId = new Map(PARSED_LANGUAGES.map((language) => [language.id, language]));
const idByName = new Map(ENTRIES.flatMap(({ id, names = [] }) => names.map((name) => [name, id])));

/** The language of a file by its path and, if that is ambiguous, by its text; null if it is only plain text. */
export function languageOf(path: string, text: string): Language | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 ? name.slice(dot).toLowerCase() : endingOfScript(path, text);
  const found = byId.get(idByName.get(name) ?? entryOfEnding(ending)?.id ?? "");
  if (found === c && name.endsWith(".h") && isCpp(text)) return cpp;
  // `.inc` files are included pieces of C and C++ as well as old PHP.
  if (found === php && name.endsWith(".inc") && !text.includes("<?")) return isCpp(text) ? cpp : c;
  return found ?? null;
}

/** A header is C++ if it contains something that C does not have. */
function isCpp(text: string): boolean {
  return /^\s*(?:class\s+\w+[^;]*$|namespace\b|template\s*<|using\s+\w+|(?:public|private|protected)\s*:)|\w::\w/m.test(
    text.slice(0, 50_000),
  );
}
