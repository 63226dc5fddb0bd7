import { describe, expect, it } from "vitest";
import { printStatusLine, readStatusFolder, type ShownRun } from "./status-line.ts";

const nowMs = Date.parse("2026-03-01T12:00:00Z");
const NOTHING = { off: null, isOffByVariable: false, index: "none", files: null, last: null, nowMs } as const;
const RUN: ShownRun = {
  created_at: "2026-03-01T11:58:00.000Z",
  outcome: "evidence",
  injected_chars: 1375,
  duration_ms: 31.4,
};

describe("[K 5] a status line", () => {
  it.each([
    [{}, ""],
    [{ index: "ready" }, "groundwork: indexed\n"],
    [{ index: "damaged" }, "groundwork: index damaged\n"],
    [{ index: "ready", files: 120 }, "groundwork: 120 files\n"],
    [{ index: "ready", files: 1, last: RUN }, "groundwork: 1 file · 1375 characters in 31 ms, 2m ago\n"],
    [{ last: RUN }, "groundwork: not indexed · 1375 characters in 31 ms, 2m ago\n"],
    [
      { files: 2, last: { ...RUN, outcome: "guess", duration_ms: 1_234 } },
      "groundwork: 2 files · a guess, 1375 characters in 1.2 s, 2m ago\n",
    ],
    [{ files: 2, last: { ...RUN, injected_chars: 0 } }, "groundwork: 2 files · nothing found 2m ago\n"],
    [{ files: 2, last: { ...RUN, outcome: "failed" } }, "groundwork: 2 files · the last run failed 2m ago\n"],
    [{ files: 2, last: { ...RUN, outcome: "plan" } }, "groundwork: 2 files · planned 2m ago\n"],
    [{ files: 2, isOffByVariable: true }, "groundwork: off (CI_AUTO_TOOLS)\n"],
    [{ off: { root: null, until: null, damage: null } }, "groundwork: off\n"],
    [
      { off: { root: "/x", until: "2026-03-01T13:30:00Z", damage: null } },
      "groundwork: off in this repository for 1h 30m\n",
    ],
    [
      { off: { root: null, until: null, damage: "x" } },
      'groundwork: off, its record cannot be read: "groundwork on"\n',
    ],
  ] as const)("%j", (parts, line) => {
    expect(printStatusLine({ ...NOTHING, ...parts })).toBe(line);
  });

  it.each([
    ['{"cwd":"/a","workspace":{"current_dir":"/b"}}', "/b"],
    ['{"cwd":"/a","workspace":{"current_dir":7}}', "/a"],
    ['{"cwd":"/a"}', "/a"],
    ['{"cwd":"a"}', null],
    ['{"workspace":null}', null],
    ["[]", null],
    ["", null],
    ["{", null],
  ])("%s names the folder %j", (payload, folder) => {
    expect(readStatusFolder(payload)).toBe(folder);
  });
});
