import { EXIT_CODES, SETTINGS_EXITS } from "../exit-codes.ts";
import { type Command, JSON_OPTION, REPO } from "./command.ts";

/** Commands for the index, its base and the resident. */
export const KEEPING = [
  {
    name: "index",
    group: "keep",
    summary: "build the index or bring it up to date",
    usage: ["[DIR] [options]"],
    about:
      "The index is kept outside the repository, and questions keep it up to date. A build that is interrupted continues where it stopped the next time.",
    options: {
      repo: { ...REPO, doc: "the repository, if DIR is not given" },
      json: JSON_OPTION,
    },
    words: "folder",
    examples: [
      { line: "groundwork index", about: "this repository, with a progress bar" },
      { line: "groundwork index --json", about: "what was read, for scripts" },
    ],
    exits: { ...SETTINGS_EXITS, 40: "the index cannot be written", 130: EXIT_CODES[130] },
  },
  {
    name: "base",
    group: "keep",
    summary: "share one index: publish it, join it, show its state",
    usage: [
      "[status] [--repo DIR] [--json]",
      "join DIR|URL --key PUBLIC_KEY|FILE [--repo DIR]",
      "leave [--repo DIR]",
      "keygen --out FILE",
      "publish --to DIR|URL --key FILE [--commit REV] [--replaces KEY] [--only-base]",
      "prune --to DIR|URL --keep N --key FILE",
    ],
    about:
      "A base is the signed index of a commit, published by one machine. Machines that have joined lay a local index over the newest base that is an ancestor of their checkout, and index only what differs. Joining sends nothing. See docs/team.md.",
    options: {
      to: {
        value: "DIR|URL",
        doc: "publish, prune: the store: a folder, an https URL, or an http URL on this machine",
      },
      commit: { value: "REV", doc: "publish: the commit (default: HEAD)" },
      key: {
        value: "KEY",
        completes: "file",
        doc: "join: a public key, or a file with public keys; publish, prune: the file of the private key",
      },
      out: { value: "FILE", completes: "file", doc: "keygen: file to write the private key to" },
      replaces: {
        value: "KEY",
        completes: "file",
        doc: "publish: public key that has signed the store so far; its bases are no longer listed",
      },
      "only-base": {
        doc: "publish: to a team's server, but without the words, definitions and lines that questions across repositories need",
      },
      keep: { value: "N", doc: "prune: how many of the newest bases to keep" },
      repo: { ...REPO, doc: "the repository (default: the current folder)" },
      yes: { doc: "join: do not ask for confirmation" },
      json: JSON_OPTION,
    },
    words: ["status", "join", "leave", "keygen", "publish", "prune"],
    examples: [
      { line: "groundwork base", about: "whether this repository uses a base, and why not" },
      { line: "groundwork base --json", about: "the same for scripts" },
    ],
    exits: { ...SETTINGS_EXITS, 40: "the store cannot be read or written, or its content is refused" },
  },
  {
    name: "resident",
    group: "keep",
    summary: "the process that answers from memory: status, start, stop",
    usage: ["[status|start|stop] [options]"],
    about:
      "Questions about code start it, and it ends by itself. GROUNDWORK_RESIDENT=off switches it off (docs/resident.md). Without a word, prints the status.",
    options: { json: JSON_OPTION },
    words: ["status", "start", "stop"],
    examples: [
      { line: "groundwork resident", about: "whether one is running, and which repositories it holds open" },
      { line: "groundwork resident stop", about: "end it; the next question starts another" },
    ],
    exits: {
      1: "status: none is running",
      10: "start: none could be started",
      20: "there is no folder for its state",
      50: "stop: it did not end",
    },
  },
] as const satisfies readonly Command[];
