import { spawn } from "node:child_process";
import { once } from "node:events";

/** Keys without a letter. */
export const KEYS = {
  enter: "\r",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  up: "\u001b[A",
  home: "\u0001",
} as const;

/** Encodes pasted text as a terminal with bracketed paste sends it. */
export function pasteOf(text: string): string {
  return `\u001b[200~${text.replaceAll("\n", "\r")}\u001b[201~`;
}

/** A program on its own terminal. */
interface PseudoTerminal extends AsyncDisposable {
  readonly type: (keys: string) => void;
  /** Waits for a text in the output since the last wait. Contract: throws, with that output, after three minutes. */
  readonly until: (text: string | RegExp) => Promise<string>;
  /** Everything printed so far, escape sequences included. */
  readonly printed: () => string;
  /** Exit code, once the program has ended. */
  readonly ended: Promise<number | null>;
}

const LIMIT_MS = 180_000;
/** Available on every Linux; passes on its input and the output of the program. */
const RECORDER = "script";

/** Starts a program on a pseudo-terminal of 100 columns. Contract: disposing it ends the program. */
export function startOnTerminal(
  command: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): PseudoTerminal {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn(RECORDER, ["-qefc", `stty cols 100 rows 30; exec ${quoted}`, "/dev/null"], {
    cwd,
    env: { ...env, TERM: "xterm" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let printed = "";
  let read = 0;
  let onMore = () => {};
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    onMore();
  });
  child.stdin.on("error", () => {});
  const ended = once(child, "close").then(([code]) => code as number | null);

  const find = (text: string | RegExp): number => {
    const rest = printed.slice(read);
    if (typeof text === "string") return rest.includes(text) ? rest.indexOf(text) + text.length : -1;
    const found = text.exec(rest);
    return found === null ? -1 : found.index + found[0].length;
  };
  const until = (text: string | RegExp) =>
    new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => {
        onMore = () => {};
        reject(new Error(`no ${String(text)} in ${JSON.stringify(printed.slice(read))}`));
      }, LIMIT_MS);
      onMore = () => {
        const end = find(text);
        if (end < 0) return;
        onMore = () => {};
        clearTimeout(late);
        const seen = printed.slice(read, read + end);
        read += end;
        resolve(seen);
      };
      onMore();
    });

  return {
    type: (keys) => child.stdin.write(keys),
    until,
    printed: () => printed,
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      child.stdin.destroy();
      await ended;
    },
  };
}
