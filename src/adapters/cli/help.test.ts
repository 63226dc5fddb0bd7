import { describe, expect, it } from "vitest";
import { displayWidth } from "../../base/display-width.ts";
import { printJobHelp } from "./codex-job-help.ts";
import { makePalette } from "./colour.ts";
import { ASKING } from "./commands/asking.ts";
import { COMMANDS } from "./commands/table.ts";
import { printHelp, printOverview } from "./help.ts";

const screenOf = (columns: number | null, hasColours = false) => ({
  columns,
  paint: makePalette({ hasColours }),
  home: null,
});
const widest = (text: string) => Math.max(...text.split("\n").map(displayWidth));

describe("[K 2] help", () => {
  it("of one command: usage, options, examples and exit codes", () => {
    expect(printHelp(ASKING[1], "explain", screenOf(null))).toMatchInlineSnapshot(`
      "Usage: groundwork explain <question> [options]

      How a question is classified, and which tools would run. Also shows which of its
      words are names in this repository. Reads the index, but runs no tool.

      Options
        --repo DIR    repository to ask about (default: the current folder)
        --json        the answer as JSON
        --color WHEN  colours: auto (default: on a terminal), always or never
        -h, --help    this text

      Examples
        # signals, names, intent and plan
        groundwork explain "why is the cart empty?"
        # a prompt that is not about code runs nothing
        groundwork explain "thanks, that works" --json

      Exit codes
         0  done
         2  wrong command line
        10  the installation is incomplete, or the program did not answer
        20  settings, or a client's file, cannot be used as they are
        30  the answer was not a run document
        40  a tool failed, or refused its arguments
        50  out of time, or the result was too large to show
      "
    `);
  });

  it.each([40, 80, 200])("is never wider than %i columns", (columns) => {
    expect(widest(printOverview(COMMANDS, screenOf(columns)))).toBeLessThanOrEqual(columns);
    for (const command of COMMANDS)
      expect(widest(printHelp(command, command.name, screenOf(columns)))).toBeLessThanOrEqual(columns);
    expect(widest(printJobHelp("", screenOf(columns)))).toBeLessThanOrEqual(columns);
  });

  it("an example wrapped into several lines is still one command", () => {
    const help = printHelp(ASKING[0], "try", screenOf(40));
    expect(help).toContain('  groundwork try "why does \\\n      rateFor() return undefined?" \\\n      --verbose\n');
  });

  it("has colours only if they are wanted, and they change nothing else", () => {
    const plain = printOverview(COMMANDS, screenOf(80));
    const painted = printOverview(COMMANDS, screenOf(80, true));
    expect(plain).not.toContain("\u001b");
    expect(painted).toContain("\u001b[1mAsk\u001b[0m");
    expect(painted.replace(/\u001b\[\d+m/g, "")).toBe(plain);
  });
});
