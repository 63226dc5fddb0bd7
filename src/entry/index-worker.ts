import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { systemClock } from "../base/clock.ts";
import { doJob, type Job } from "../engine/build/jobs.ts";
import { FileParser } from "../engine/parse/file-parser.ts";
import type { Segment } from "../engine/store/segment.ts";

const tools = {
  parser: new FileParser({ folder: join(import.meta.dirname, "grammars"), clock: systemClock }),
  clock: systemClock,
};

const isSegment = (job: Job, result: unknown): result is Segment => job.kind === "text";

parentPort?.on("message", async (job: Job) => {
  const result = await doJob(job, tools, (done) => parentPort?.postMessage(done));
  // Large arrays are transferred instead of copied.
  const owned = isSegment(job, result)
    ? [result.postings.buffer, result.starts.buffer, result.catalogue.numbers.buffer, result.catalogue.stats.buffer]
    : [];
  parentPort?.postMessage(result, owned as ArrayBuffer[]);
  // A text used up the parser's memory; the next job gets a new thread.
  if (tools.parser.isSpent) parentPort?.close();
});
