import { toMessage } from "../../base/text.ts";
import { isTimeUp, MAX_TIMER_MS, startTimer, withTimeLimit } from "../../base/timers.ts";
import type { Check } from "../../contract/doctor.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";
import { toSeconds } from "./world.ts";

/** A single examination, which may return several checks. */
export interface Examination {
  readonly group: string;
  /** Name of the check that is reported if no answer arrives in time. */
  readonly name: string;
  readonly limitMs: number;
  readonly look: (signal: AbortSignal) => Promise<readonly UngroupedCheck[]> | readonly UngroupedCheck[];
}

/** A check with an optional function that fixes what it found. */
export type MendableCheck = Check & Pick<UngroupedCheck, "mend">;

/** Maximum number at once: they start programs, and more would slow each other down until they time out. */
const AT_ONCE = 4;

/** Runs all examinations, each within its time limit. Contract: never throws; keeps the order of the examinations. */
export async function examine(
  examinations: readonly Examination[],
  onProgress: (done: number, total: number) => void,
): Promise<MendableCheck[]> {
  const found: (readonly MendableCheck[])[] = [];
  let next = 0;
  let done = 0;
  const lane = async () => {
    for (let at = next++; at < examinations.length; at = next++) {
      const examination = examinations[at] as Examination;
      found[at] = (await lookInTime(examination)).map((check) => ({ group: examination.group, ...check }));
      onProgress(++done, examinations.length);
    }
  };
  // Keeps this process alive: neither the timers of the limits nor the programs that it talks to do so.
  const awake = startTimer(MAX_TIMER_MS, () => {});
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  clearTimeout(awake);
  return found.flat();
}

async function lookInTime({ name, limitMs, look }: Examination): Promise<readonly UngroupedCheck[]> {
  const check = checkOf(name, "an answer");
  const remedy = { text: "report it with this line", section: "the-doctor-itself-failed" } as const;
  try {
    return await withTimeLimit(new AbortController().signal, limitMs, async (signal) => {
      const late = new Promise<readonly UngroupedCheck[]>((resolve) => {
        signal.addEventListener("abort", () => {
          if (isTimeUp(signal)) resolve([check.poor("fail", `no answer within ${toSeconds(limitMs)}`, remedy)]);
        });
      });
      return Promise.race([look(signal), late]);
    });
  } catch (thrown) {
    return [check.poor("fail", toMessage(thrown), remedy)];
  }
}
