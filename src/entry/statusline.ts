import { printStatusLine, readStatusFolder } from "../adapters/hook/status-line.ts";
import { startTimer } from "../base/timers.ts";
import { historyFolder } from "../config/places.ts";
import { peekSpool } from "../run-history/spool.ts";
import { glimpse } from "./glimpse.ts";
import { workingFolder, writeAll } from "./process.ts";
import { rootBySight } from "./record-silent.ts";

/** Time limit for reading the payload. A blocking read could not be abandoned. */
const PATIENCE_MS = 250;

function readPayload(): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = () => resolve(Buffer.concat(chunks).toString("utf8"));
    if (process.stdin.isTTY) return finish();
    startTimer(PATIENCE_MS, finish);
    process.stdin.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (readStatusFolder(Buffer.concat(chunks).toString("utf8")) !== null) finish();
    });
    process.stdin.once("end", finish).once("error", finish);
  });
}

/** Prints a line about a folder's repository, for when no resident could. */
async function main(): Promise<void> {
  const root = rootBySight(process.env, readStatusFolder(await readPayload()) ?? workingFolder());
  if (root === "") return;
  const history = historyFolder(process.env);
  const last = history === null ? null : peekSpool(history, root);
  writeAll(1, printStatusLine({ ...glimpse(process.env, root), files: null, last }));
}

// On any failure there is nothing to print.
main().then(
  () => process.exit(0),
  () => process.exit(0),
);
