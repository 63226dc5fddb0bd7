import { toOneLine } from "../../base/text.ts";
import { countOf } from "../../contract/count-of.ts";
import { guardOwn } from "../../lifecycle/guard.ts";
import { widthOf } from "./help.ts";
import { NAME_AND_TEXT, paintLines, type Screen, shortenPath, table, wrap } from "./layout.ts";

/** State of the index as far as it is known without reading it. */
type IndexKind = "ready" | "unfinished" | "none" | "damaged" | "off" | "no place";

/** State of the current repository and this machine. */
export interface RepositoryState {
  readonly version: string;
  /** Root of the repository, or the current folder; null if that no longer exists. */
  readonly root: string | null;
  readonly isRepository: boolean;
  /** What switches everything off, and how to undo it; null if nothing does. */
  readonly off: { readonly why: string; readonly undo: string } | null;
  /** Why the settings cannot be read; empty if they can. */
  readonly fault: string;
  readonly index: { readonly kind: IndexKind; readonly files: number };
  /** Names of the clients that have the hook, and of installed clients that do not. */
  readonly hooked: readonly string[];
  readonly unhooked: readonly string[];
  readonly resident: "running" | "not running" | "off";
}

const STEPS = 3;
const QUESTION = '"your question"';

/** Output of `groundwork` without arguments: the current state, three suggested steps, and where to find help. */
export function printFirstScreen(state: RepositoryState, screen: Screen): string {
  const width = widthOf(screen);
  const { bold, accent } = screen.paint;
  const place = state.root === null ? "" : ` in ${shortenPath(toOneLine(guardOwn(state.root)), screen)}`;
  const steps = listSteps(state).slice(0, STEPS);
  const parts = [
    paintLines(wrap(`Groundwork ${state.version}${place}`, { width }), bold),
    table(describeState(state, screen), { width, indent: 2, columns: NAME_AND_TEXT }),
    `${bold("Next")}\n${table(
      steps.map(([, text, about]) => [{ text, paint: accent }, about]),
      { width, indent: 2, columns: [{ most: Math.floor(width * 0.6) }, { tooWide: "wrap" }] },
    )}`,
    wrap('All commands: "groundwork --help". All about one: "groundwork help try".', { width }),
  ];
  return `${parts.join("\n\n")}\n`;
}

function describeState(state: RepositoryState, { paint }: Screen) {
  const { off, fault, resident } = state;
  const bad = (text: string) => ({ text: toOneLine(guardOwn(text)), paint: paint.bad });
  const where =
    state.root === null
      ? "the current folder no longer exists"
      : state.isRepository
        ? ""
        : "no git repository: only this folder would be read";
  const rows = [
    ["Folder", where === "" ? "" : { text: where, paint: paint.warning }],
    ["Switch", off === null ? "" : { text: toOneLine(`off: ${guardOwn(off.why)}`), paint: paint.warning }],
    ["Settings", fault === "" ? "" : bad(fault)],
    ["Index", state.root === null ? "" : sayIndex(state)],
    ["Hook", sayHooks(state)],
    ["Resident", resident === "not running" ? "not running; the next question about code starts it" : resident],
  ] as const;
  return rows.filter(([, said]) => said !== "");
}

function sayIndex({ index: { kind, files } }: RepositoryState): string {
  const said: Readonly<Record<IndexKind, string>> = {
    ready: `ready, ${countOf(files, "file")}`,
    unfinished: files === 0 ? "being built" : `being built, ${countOf(files, "file")} so far`,
    none: "none yet; the first question about code starts it",
    damaged: "cannot be read",
    off: "switched off; files are read for each question",
    "no place": "no place for one: set HOME or GROUNDWORK_HOME to a folder",
  };
  return said[kind];
}

function sayHooks({ hooked, unhooked }: RepositoryState): string {
  if (hooked.length > 0)
    return unhooked.length === 0
      ? `in ${hooked.join(", ")}`
      : `in ${hooked.join(", ")}; not yet in ${unhooked.join(", ")}`;
  return unhooked.length === 0
    ? "no client was found on this machine"
    : `not installed yet; found here: ${unhooked.join(", ")}`;
}

/** What to type next, and what it does, most important first. */
function listSteps({ off, fault, index: { kind }, unhooked, isRepository }: RepositoryState) {
  const steps: readonly (readonly [isDue: boolean, line: string, about: string])[] = [
    [off !== null, off?.undo ?? "", "switch it on again"],
    [fault !== "", "groundwork config explain", "what is wrong with the settings"],
    [!isRepository, "cd your-repository", "and see how things are there"],
    [unhooked.length > 0, "groundwork install", `put the hook into ${unhooked.join(", ")}`],
    [kind === "damaged", "groundwork doctor --fix", "move the damaged index aside"],
    [isRepository, `groundwork try ${QUESTION}`, "see what a model would read"],
    [!isRepository, 'groundwork try "…" --repo DIR', "ask about another folder"],
    [kind === "none" && isRepository, "groundwork index", "build the index now"],
    [kind === "unfinished", "groundwork index", "finish the index now"],
    [true, "groundwork doctor", "check all that evidence depends on"],
    [true, `groundwork explain ${QUESTION}`, "which tools would run, and why"],
  ];
  return steps.filter(([isDue]) => isDue);
}
