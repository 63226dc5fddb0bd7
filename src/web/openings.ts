import { randomBytes } from "node:crypto";

/**
 * Addresses that admit whoever opens them first. They are passed to programs that open a browser, because other users
 * of the machine can see the arguments of programs.
 */
export class Openings {
  readonly #tokens = new Set<string>();

  /** Makes the address of a server that is reached at `origin`. */
  make(origin: string): string {
    const token = makeToken();
    this.#tokens.add(token);
    return toAddress(origin, token);
  }

  /** Returns true if the token is that of an unused address, which is used from then on. */
  use(token: string): boolean {
    return this.#tokens.delete(token);
  }
}

/** Makes a token. */
export function makeToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The address that passes a token to the server. */
export function toAddress(origin: string, token: string): string {
  return `${origin}/?token=${token}`;
}
