/**
 * Thrown where state of ours turns out to be damaged in the middle of some work. Contract: whoever throws it has seen to it
 * that the damaged state is not asked again, so that the same work, done once more, goes on without it.
 */
export class DamagedState extends Error {}

/** Does work, and once more where state of ours turned out to be damaged on the way. */
export async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof DamagedState) return work();
    throw thrown;
  }
}
