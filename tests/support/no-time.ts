import { FAULTS } from "../../src/contract/faults.ts";

/** Messages for lack of time: for a tool or its turn, to read all files, to check them, to read the changed ones. */
const NO_TIME = [FAULTS.E_TIMEOUT.limit, "there was time to read", "no time to check", "and not read yet"];

/** True if an answer says that there was not enough time for all of it, as on a busy machine. */
export function saysNoTime(answer: string): boolean {
  return NO_TIME.some((text) => answer.includes(text));
}
