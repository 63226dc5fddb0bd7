const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** A run of Base32 characters only: a constant in capitals has no digits, and a word is shorter. */
const RUN = /(?<![A-Za-z0-9_])(?=[A-Z]{0,40}[2-7])[A-Z2-7]{24,4000}={0,6}(?![A-Za-z0-9_])/g;
const MOST_RUNS = 8;

/** Decodes the Base32 passages of a line. Contract: linear; at most eight. */
export function decodeBase32(line: string): readonly string[] {
  return (line.match(RUN) ?? []).slice(0, MOST_RUNS).map(decode);
}

function decode(run: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const sign of run.replace(/=+$/, "")) {
    held = ((held << 5) | ALPHABET.indexOf(sign)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Buffer.from(bytes).toString("utf8");
}
