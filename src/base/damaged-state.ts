/**
 * Thrown when our own state turns out to be damaged during an operation. Contract: before throwing, the thrower makes
 * sure the damaged state is not used again, so that a retry of the same operation continues without it.
 */
export class DamagedState extends Error {}

/** Runs `work`, and retries it once if it throws `DamagedState`. */
export async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof DamagedState) return work();
    throw thrown;
  }
}
