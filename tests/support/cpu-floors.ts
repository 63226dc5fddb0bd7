/** Iterations of the loop that defines one floor: about ten milliseconds on the machine used to set the limits. */
const TURNS = 8_000_000;

/** CPU milliseconds of this process so far. Other programs do not count, however busy the machine is. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Prevents the loop from being optimised away. */
let sink = 0;

function runFloor(): number {
  const startMs = cpuMs();
  for (let at = 0; at < TURNS; at++) sink = (Math.imul(sink, 31) + at) | 0;
  return cpuMs() - startMs;
}

let floorMs = 0;

/**
 * Starts counting CPU time. The returned function gives the CPU time spent since, in floors: the CPU time of a fixed
 * loop on this machine, measured here, so that neither a slow nor a busy machine fails a test.
 */
export function countFloors(): () => number {
  // The first runs are skipped, because the compiler is cold.
  floorMs ||= Math.min(...Array.from({ length: 5 }, runFloor).slice(2));
  const startMs = cpuMs();
  return () => (cpuMs() - startMs) / floorMs;
}
