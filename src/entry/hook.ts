import { loadCached } from "./load-cached.ts";

// Nothing but the way to the code cache: compiling what judges a prompt would cost a fifth of what judging costs.
loadCached("hook-judge.cjs");
