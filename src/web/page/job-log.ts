import { useEffect, useState } from "preact/hooks";
import { sleep } from "../../base/timers.ts";
import type { JobRow, LogPart } from "../wire.ts";
import { getJson } from "./api.ts";

const LOOK_MS = 1_000;
/** Maximum number of characters kept, from the end of the log. */
const MAX_CHARS = 100_000;
/** A log longer than twice this is read from this many bytes before its end. */
const TAIL_BYTES = 80_000;

/** The part of a log that is shown, the number of bytes read, and its total size in bytes. */
const NOTHING = { text: "", shown: 0, size: 0 };

/** Follows the log of a job; a long one from near its end. */
export function useLog({ id, cwd }: JobRow, isOpen: boolean): typeof NOTHING {
  const [log, setLog] = useState(NOTHING);
  useEffect(() => {
    const end = new AbortController();
    const follow = async () => {
      let next = 0;
      let start = 0;
      let text = "";
      for (;;) {
        const query = new URLSearchParams({ cwd, offset: String(next) });
        const part = await getJson<LogPart>(`jobs/${encodeURIComponent(id)}/log?${query}`, end.signal).catch(
          () => null,
        );
        if (end.signal.aborted) return;
        if (part !== null && next === 0 && part.size > TAIL_BYTES * 2) {
          next = start = part.size - TAIL_BYTES;
          continue;
        }
        if (part !== null && part.text !== "") {
          text = (text + part.text).slice(-MAX_CHARS);
          // The log was started anew.
          if (part.size < next) text = part.text;
          next = part.next;
          setLog({ text, shown: next - start, size: part.size });
        }
        if (part !== null && !part.eof) continue;
        if (!isOpen) return;
        await sleep(LOOK_MS, end.signal);
        if (end.signal.aborted) return;
      }
    };
    follow().catch(() => {});
    return () => end.abort();
  }, [id, cwd, isOpen]);
  return log;
}
