import { loadCached } from "./load-cached.ts";

// Only loads the bundle through the code cache: compiling the judge would take a fifth as long as judging itself.
loadCached("hook-judge.cjs");
