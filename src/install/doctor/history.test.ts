import { describe, expect, it } from "vitest";
import type { HistoryHealth } from "../../contract/run-history.ts";
import { examine } from "./examine.ts";
import { type HistoryReport, historyExaminations } from "./history.ts";

const HEALTH: HistoryHealth = {
  ...({ state: "readable", why: "", runs: 12, bytes: 1_260_000, aside: [], writeTrouble: "" } as const),
  sharing: null,
};

async function look(health: Partial<HistoryHealth> | null, changes: Partial<HistoryReport> = {}) {
  const report: HistoryReport = {
    folder: "/state/history",
    health: health === null ? null : { ...HEALTH, ...health },
    setting: { kept: "full", days: 30, mb: 50 },
    origin: "default",
    sharing: null,
    ...changes,
  };
  const checks = await examine(
    historyExaminations(() => report),
    () => {},
  );
  return Object.fromEntries(checks.map(({ name, ...check }) => [name, check]));
}

describe("[K 2] the doctor examines the history", () => {
  it("reports how much is kept, by which setting, and the origin of that setting", async () => {
    expect(await look({})).toMatchObject({
      store: { group: "history", status: "ok", measured: "12 runs, 1.3 MB", remedy: "" },
      setting: { status: "ok", measured: "full (default), for 30 days, 50 MB at most" },
    });
    const off = await look({ state: "none" }, { setting: { kept: "off", days: 30, mb: 50 }, origin: "environment" });
    expect(off).toMatchObject({ store: { status: "ok" }, setting: { measured: "off (environment)" } });
    expect(await look(null, { folder: null, setting: null })).toMatchObject({
      store: { status: "ok", measured: "no place for one" },
    });
  });

  it.each([
    [{ state: "locked" }, "store", "warn", "another process is writing it", "look again"],
    [{ state: "damaged", why: "file is not a database" }, "store", "warn", "file is not a database", "groundwork runs"],
    [{ state: "newer", why: "version 9" }, "store", "fail", "version 9", "update Groundwork"],
    [{ writeTrouble: "EACCES" }, "folder", "fail", "EACCES", "make it writable"],
    [{ aside: ["/h/history.db.aside"] }, "set aside", "warn", "/h/history.db.aside", "delete it"],
  ] as const)("fault: %j", async (health, name, status, measured, remedy) => {
    expect((await look(health))[name]).toMatchObject({
      status,
      measured: expect.stringContaining(measured),
      remedy: expect.stringMatching(new RegExp(`${remedy}.*troubleshooting\\.md#the-history-cannot-be-used`)),
    });
  });

  it("[T-13] reports the state of the figures shared with a team", async () => {
    const sharing = { since: 1, triedAt: 2, sentAt: 2, trouble: "", waiting: 0 };
    expect(Object.keys(await look({ sharing }))).not.toContain("team figures");
    const judge = async (health: Partial<HistoryHealth>, obstacle = "") =>
      (await look(health, { sharing: { obstacle } }))["team figures"];
    expect(await judge({})).toMatchObject({ status: "ok", measured: "nothing sent yet" });
    expect(await judge({ sharing })).toMatchObject({ status: "ok", measured: "sent" });
    expect(await judge({ sharing: { ...sharing, trouble: "it does not answer", waiting: 3 } })).toMatchObject({
      status: "warn",
      measured: "it does not answer; 3 waiting",
      remedy: expect.stringContaining("troubleshooting.md#the-teams-figures-are-not-sent"),
    });
    expect(await judge({}, "no server is named")).toMatchObject({ status: "warn", measured: "no server is named" });
  });

  it("a folder that is not writable is not a fault if nothing is to be kept", async () => {
    const off = { setting: { kept: "off", days: 30, mb: 50 }, origin: "your file" };
    expect(Object.keys(await look({ writeTrouble: "EACCES" }, off))).toEqual(["store", "setting"]);
  });
});
