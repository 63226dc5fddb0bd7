import { describe, expect, it } from "vitest";
import { displayWidth } from "../../base/display-width.ts";
import { type Check, toDoctorReport } from "../../contract/doctor.ts";
import { makePalette } from "./colour.ts";
import { printDoctor, printDoctorJson } from "./doctor.ts";

const ok = (group: string, name: string, measured: string): Check => ({
  group,
  name,
  status: "ok",
  measured,
  expected: "any",
  remedy: "",
});
const CHECKS: readonly Check[] = [
  ok("program", "version", "1.2.3"),
  ok("gemini", "program", "not on the PATH"),
  {
    group: "claude",
    name: "hook",
    status: "fail",
    measured: "/home/ada/项目/很长的文件夹名称/另一个很长的文件夹名称/hooks/context-inject-global.sh is gone",
    expected: "a script of this installation",
    remedy: 'run "groundwork install" (docs/troubleshooting.md#the-hook-leads-nowhere)',
  },
  ok("claude", "program", `/home/ada/${"很长".repeat(40)}/claude`),
  { ...ok("settings", "switch", "CI_AUTO_TOOLS=off"), status: "warn", expected: "on", remedy: "unset it" },
];
const SCREEN = { columns: 80, paint: makePalette({ hasColours: false }), home: "/home/ada" };

describe("[P-6] output of the doctor", () => {
  it("has one line per check, more for a problem, and none wider than the terminal", () => {
    const text = printDoctor(toDoctorReport(CHECKS), SCREEN);
    expect(text).toMatchInlineSnapshot(`
      "Program
        ok    version     1.2.3

      Claude Code
        fail  hook
              found     ~/项目/很长的文件夹名称/另一个很长的文件夹名称/hooks/context-i
                        nject-global.sh is gone
              expected  a script of this installation
              remedy    run "groundwork install"
                        (docs/troubleshooting.md#the-hook-leads-nowhere)
        ok    program     ~/很长很长很长很长很长很长很长很长很长很长很长很长很长很长…

      Other clients
        ok    Gemini CLI  not on the PATH

      Settings
        warn  switch
              found     CI_AUTO_TOOLS=off
              expected  on
              remedy    unset it

      1 check failed, 1 warning, 3 ok.
      "
    `);
    expect(Math.max(...text.split("\n").map(displayWidth))).toBeLessThanOrEqual(80);
  });

  it("has colours only if they are wanted", () => {
    const report = toDoctorReport(CHECKS);
    expect(printDoctor(report, SCREEN)).not.toContain("\u001b");
    const painted = printDoctor(report, { ...SCREEN, paint: makePalette({ hasColours: true }) });
    expect(painted).toContain("\u001b[31mfail\u001b[0m");
    expect(painted.replace(/\u001b\[\d+m/g, "")).toBe(printDoctor(report, SCREEN));
  });

  it("cuts nothing without a terminal, and says if all is well", () => {
    const text = printDoctor(toDoctorReport(CHECKS), { ...SCREEN, columns: null });
    expect(text).toContain(`${"很长".repeat(40)}/claude`);
    expect(printDoctor(toDoctorReport([ok("program", "version", "1")]), SCREEN)).toContain("All is well, 1 ok.");
  });

  it("text from files cannot control the terminal and shows no secret; JSON has exactly its keys", () => {
    const evil = { ...ok("settings", "values", "a\u001b[2Jb\nc token=ghp_0123456789abcdefghijABCDEFGHIJ012345") };
    const report = toDoctorReport([evil]);
    for (const text of [printDoctor(report, SCREEN), printDoctorJson(report)]) {
      expect(text).not.toContain("\u001b");
      expect(text).not.toContain("ghp_0123456789");
    }
    const data = JSON.parse(printDoctorJson(report));
    expect(Object.keys(data)).toEqual(["ok", "checks"]);
    expect(Object.keys(data.checks[0])).toEqual(["group", "name", "status", "measured", "expected", "remedy"]);
    expect(data.ok).toBe(true);
  });
});
