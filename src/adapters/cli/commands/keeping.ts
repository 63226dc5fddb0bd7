import { EXIT_CODES, SETTINGS_EXITS } from "../exit-codes.ts";
import { type Command, JSON_OPTION } from "./command.ts";

/** Commands about what is kept ready. */
export const KEEPING = [
  {
    name: "index",
    group: "keep",
    summary: "build the index or bring it up to date",
    usage: ["[DIR] [options]"],
    about:
      "It lies outside the repository, and questions keep it up to date by themselves. A build that is stopped goes on where it was the next time.",
    options: {
      repo: { value: "DIR", completes: "folder", doc: "the repository, where DIR is not given" },
      json: JSON_OPTION,
    },
    words: "folder",
    examples: [
      { line: "groundwork index", about: "this repository; a bar shows how far it is" },
      { line: "groundwork index --json", about: "what was read, for scripts" },
    ],
    exits: { ...SETTINGS_EXITS, 40: "the index cannot be written", 130: EXIT_CODES[130] },
  },
  {
    name: "resident",
    group: "keep",
    summary: "the process that answers from memory: status, start, stop",
    usage: ["[status|start|stop] [options]"],
    about:
      "Questions about code start it, and it ends by itself. Off: GROUNDWORK_RESIDENT=off (docs/resident.md). Without a word it says the status.",
    options: { json: JSON_OPTION },
    words: ["status", "start", "stop"],
    examples: [
      { line: "groundwork resident", about: "whether one is running, and what it holds open" },
      { line: "groundwork resident stop", about: "end it; the next question starts another" },
    ],
    exits: {
      1: "status: none is running",
      10: "start: none could be started",
      20: "there is no place for state",
      50: "stop: it does not end",
    },
  },
] as const satisfies readonly Command[];
