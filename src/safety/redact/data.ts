import { isRecord } from "../../base/text.ts";
import { defang } from "../defang/defang.ts";
import { isTemplate } from "./authorization.ts";
import { isAboutName } from "./names.ts";
import { redact } from "./redact.ts";
import { MARK, PASSWORD_END, SECRET_NAME } from "./rules.ts";

/** Secrets in structured data: a value is judged by its key, a sibling that names it and the key of its container. */

/** Keys whose value names a sibling: `{"name": "Authorization", "value": "…"}`. */
const NAME_KEYS = /^(?:name|key|header|field|variable|var|env|param|parameter|option|property|label)$/i;
/** Generic keys that do not describe what they hold. */
const VALUE_KEYS = /^(?:value|val|default|default_?value|current_?value|plain_?text|plain|raw)$/i;
const HEADER = /^(?:proxy-)?authorization$/i;
const NO_CREDENTIAL =
  /^(?:required|optional|none|null|string|str|true|false|yes|no|bearer|basic|digest|oauth2?|jwt|token|any|public|private|inherit|default|enabled|disabled|admin|user)$/i;
/** Names of numeric codes that grant access; counters and pins of hardware have other names. */
const CODE =
  /(?:^|[_.\- ]|[a-z](?=[A-Z]))(?:passw(?:or)?d|passcode|pin(?:_?code)?|puk|otp|totp|(?:security|access|verification|mfa|login)_?code)$/i;
const WIRED = /gpio|led|board|adc|pwm|spi|i2c|uart|relay|sensor|count|num|max|min/i;
const MAX_NAME = 80;
const MAX_VALUE = 2_000;
const MAX_DEPTH = 64;

/**
 * Rebuilds plain data and hides secrets that are indicated by their keys or by a sibling that names them. Hidden
 * numbers become strings. Contract: linear; idempotent; keeps keys and structure; keeps texts accepted by `isOpen`.
 */
export function hideFields(
  value: unknown,
  hit: (kind: string) => void,
  isOpen: (text: string) => boolean = () => false,
): unknown {
  return walk(value, null, { hit, isOpen, depth: 0 });
}

interface Walk {
  readonly hit: (kind: string) => void;
  readonly isOpen: (text: string) => boolean;
  readonly depth: number;
}

function walk(value: unknown, name: string | null, way: Walk): unknown {
  if (typeof value === "string") return name === null || way.isOpen(value) ? value : hideText(value, name, way.hit);
  if (typeof value === "number") return name !== null && isCode(value, name) ? hideCode(way.hit) : value;
  if (way.depth > MAX_DEPTH) return value;
  const deeper = { ...way, depth: way.depth + 1 };
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isPair))
      return value.map(([first, second]) => [first, walk(second, first, deeper)]);
    const single = name?.replace(/(password|passphrase|token|secret|key|credential|pin)s$/i, "$1") ?? null;
    return value.map((item) => walk(item, single, deeper));
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const sibling = entries.find(([key, item]) => NAME_KEYS.test(key) && typeof item === "string")?.[1];
  const beside = typeof sibling === "string" ? sibling : name;
  return Object.fromEntries(
    entries.map(([key, item]) => [key, walk(item, VALUE_KEYS.test(key) ? (beside ?? key) : key, deeper)]),
  );
}

function isPair(item: unknown): item is [string, unknown] {
  return Array.isArray(item) && item.length === 2 && typeof item[0] === "string" && typeof item[1] === "string";
}

/** True for a key that may announce a secret; most keys do not and skip the other checks. */
function announces(name: string): boolean {
  if (name.length > MAX_NAME) return false;
  return (
    (/[^ -~]/.test(name) || SECRET_NAME().test(name) || HEADER.test(name) || CODE.test(name)) && !isAboutName(name)
  );
}

/** Redacts a text as if it were shown after its name in a line of data. */
function hideText(value: string, name: string, hit: (kind: string) => void): string {
  if (value === "" || value.length > MAX_VALUE || !announces(name)) return value;
  // Keys and tokens are longer; a number may be a code.
  if (value.length < 8 && /^[ -~]+$/.test(name) && !HEADER.test(name) && !CODE.test(name) && !PASSWORD_END().test(name))
    return value;
  if (/^\d{4,12}$/.test(value) && CODE.test(name)) return isCode(Number(value), name) ? hideCode(hit) : value;
  const head = `${JSON.stringify(defang(name))}: "`;
  const shown = defang(value);
  // A line break or a quote would end the value, so both are replaced before judging it.
  const flat = shown.replace(/["'`\\\n]/g, "_");
  const { text, redactions } = redact(`${head}${flat}"`);
  const isFloor =
    HEADER.test(name) &&
    !NO_CREDENTIAL.test(value) &&
    /[\p{L}\d]/u.test(value) &&
    !isTemplate(value.replace(/^[A-Za-z][\w-]{0,30} (?=\S)/, ""));
  if (redactions.length === 0) {
    if (!isFloor || value.includes(MARK)) return value;
    hit("authorization");
    return MARK;
  }
  for (const { kind } of redactions) hit(kind);
  const inner = /^[^:]*: "([^\n]*)"$/.exec(text)?.[1];
  return flat === shown && inner !== undefined && inner.includes(MARK) ? inner : MARK;
}

/** True for a number that grants access: at least four digits under such a name. */
function isCode(value: number, name: string): boolean {
  return CODE.test(name) && !WIRED.test(name) && Number.isSafeInteger(value) && Math.abs(value) >= 1_000;
}

function hideCode(hit: (kind: string) => void): string {
  hit("code");
  return MARK;
}
