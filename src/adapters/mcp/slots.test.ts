import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { makeSlots } from "./slots.ts";

it("slots: a limited number at once, the others in order, and a failure frees its slot", async () => {
  const inSlot = makeSlots(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = (at: number) => async () => {
    begun.push(at);
    most = Math.max(most, ++running);
    await sleep(2);
    running--;
    if (at % 3 === 0) throw new Error("failed");
    return at;
  };
  const done = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => inSlot(work(at))));
  expect(most).toBe(2);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
});
