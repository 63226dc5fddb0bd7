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
    name: "base",
    group: "keep",
    summary: "one index for everybody: publish it, join it, see how it stands",
    usage: [
      "[status] [--repo DIR] [--json]",
      "join DIR|URL --key PUBLIC_KEY|FILE [--repo DIR]",
      "leave [--repo DIR]",
      "keygen --out FILE",
      "publish --to DIR|URL --key FILE [--commit REV] [--replaces KEY] [--only-base]",
      "prune --to DIR|URL --keep N --key FILE",
    ],
    about:
      "A base is the index of a commit. One machine publishes it, signed; whoever has joined lays a local index over the newest base that is an ancestor of what is checked out, and reads only what differs. Nothing is sent by joining. See docs/team.md.",
    options: {
      to: { value: "DIR|URL", doc: "publish, prune: the store; a folder, https, or http on this machine" },
      commit: { value: "REV", doc: "publish: the commit (default: HEAD)" },
      key: {
        value: "KEY",
        completes: "file",
        doc: "join: public key, or a file with some; publish, prune: file of the private key",
      },
      out: { value: "FILE", completes: "file", doc: "keygen: where the private key is written" },
      replaces: {
        value: "KEY",
        completes: "file",
        doc: "publish: public key that signed the store so far; its bases are left out from now on",
      },
      "only-base": {
        doc: "publish: to a team's server, without the words, definitions and lines that questions across repositories need",
      },
      keep: { value: "N", doc: "prune: how many of the newest bases stay" },
      repo: { value: "DIR", completes: "folder", doc: "the repository (default: the current folder)" },
      yes: { doc: "join: without asking" },
      json: JSON_OPTION,
    },
    words: ["status", "join", "leave", "keygen", "publish", "prune"],
    examples: [
      { line: "groundwork base", about: "how this repository stands to its store" },
      { line: "groundwork base --json", about: "the same for scripts" },
    ],
    exits: { ...SETTINGS_EXITS, 40: "the store cannot be read or written, or what it has is refused" },
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
