/** Turns of the loop that is one floor: about ten milliseconds on the machine that the bars were set on. */
const TURNS = 8_000_000;

/** CPU milliseconds of this process until now. Other programs on the machine do not count, however busy it is. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Keeps the loop from being optimised away. */
let sink = 0;

function runFloor(): number {
  const startMs = cpuMs();
  for (let at = 0; at < TURNS; at++) sink = (Math.imul(sink, 31) + at) | 0;
  return cpuMs() - startMs;
}

let floorMs = 0;

/**
 * Starts to count CPU time. The function that it gives tells what was spent since, in floors: CPU time of a fixed loop on this
 * machine, measured here, so that neither a slow machine nor a busy one fails a test.
 */
export function countFloors(): () => number {
  // The first runs are those of a cold compiler.
  floorMs ||= Math.min(...Array.from({ length: 5 }, runFloor).slice(2));
  const startMs = cpuMs();
  return () => (cpuMs() - startMs) / floorMs;
}
