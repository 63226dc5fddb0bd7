import { once } from "../../base/once.ts";
import { MARK } from "./rules.ts";

/** Key material written as a list of bytes under a name for a key: `var aesKey = []byte{0x42, …}`. */

const BYTE = "(?:\\((?:byte|char|uint8_t|u8)\\)\\s?)?(?:0x[0-9a-fA-F]{1,2}|-?\\d{1,3})(?:u8|[uU])?";
const NAME =
  "(?:key|secret|psk|passw(?:or)?d|passphrase|seed|salt|pepper|token|priv|hmac|aes|密钥)(?![a-z]{0,2}(?:code|press|map|frame|up\\b|down\\b))";
/** Group 1: the name and the opening of the list; group 2: the list. */
const LIST = `((?<!pub|public|Public|PUBLIC|public_|Public_|PUBLIC_|pub_|PUB_)${NAME}\\w{0,24}(?:\\[[\\w +*]{0,24}\\])?["']?\\s{0,4}(?::[^=\\n]{1,40})?[:=(]{1,2}\\s{0,4}[^\\n"'=;\\d{[(]{0,40}(?:\\[[\\w ;]{0,16}\\]\\w{0,10})?\\s{0,4}[{[(]{1,2}\\s{0,20})(${BYTE}(?:\\s{0,2},\\s{0,20}${BYTE}){7,255})`;
/** Pairs of hex digits with a separator, as dumps and dialogs show a key. */
const PAIRS = `((?<!pub|public|Public|PUBLIC|public |public_)(?:key|secret|psk|seed|hmac)\\w{0,24}["']?\\s{0,3}[:=]\\s{0,3}["']?)((?:[0-9a-f]{2}[ :-]){15,127}[0-9a-f]{2}|(?:\\\\x[0-9a-f]{2}){8,256})`;
const patterns = once(() => [new RegExp(LIST, "gi"), new RegExp(PAIRS, "gi")]);

/** Cheap test: two bytes with a separator, or an escaped one. */
const BYTES =
  /0x[0-9a-f]{1,2},|\d{1,3}\s{0,2},\s{0,20}-?\d{1,3}\s{0,2},|[0-9a-f]{2}[ :-][0-9a-f]{2}[ :-]|\\x[0-9a-f]{2}/i;

/** Hides lists of bytes whose name says that they are a key. Contract: linear; keeps the number of lines. */
export function hideBytes(text: string, hit: (kind: string) => void): string {
  if (!BYTES.test(text)) return text;
  let out = text;
  for (const pattern of patterns()) {
    out = out.replace(pattern, (whole: string, kept: string, list: string) => {
      const name = /^[^\s:=([{"'<]{0,60}/.exec(kept)?.[0] ?? "";
      if (!KEY_END.test(name) || !isKeyMaterial(list.match(/\\x[0-9a-f]{2}|0x[0-9a-f]{1,2}|[0-9a-f]{2,3}|\d/gi) ?? []))
        return whole;
      hit("key-bytes");
      return `${kept}${MARK}${"\n".repeat(list.split("\n").length - 1)}`;
    });
  }
  return out;
}

/** Words that may follow the word for a key in the name of its bytes: any other suffix means that it is a table. */
const KEY_END =
  /(?:key|secret|psk|passw(?:or)?d|passphrase|seed|salt|pepper|token|priv|hmac|aes|密钥)(?:[_ ]?(?:bytes?|data|buf(?:fer)?|value|raw|array|arr|material|default|hex|enc|dec|str|iv|\d{1,3}|[a-rt-z]))?$/i;

/** The bytes of a key are in no order and vary in size; tables of codes and sizes are ascending or repetitive. */
function isKeyMaterial(bytes: readonly string[]): boolean {
  const values = bytes.map((byte) =>
    /^\d+$/.test(byte) ? Number(byte) : Number.parseInt(byte.replace(/^\\x/, ""), 16),
  );
  const rising = values.filter((value, i) => i > 0 && value >= (values[i - 1] ?? 0)).length;
  return new Set(values).size >= Math.min(6, bytes.length) && rising < (values.length - 1) * 0.8;
}
