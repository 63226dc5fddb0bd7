import { describe, expect, it } from "vitest";
import { readJobCommand } from "./codex-job-arguments.ts";

const plain = { cwd: null, json: false };
const start = { name: "start", ...plain, args: [] };

describe("[CNI-19] the command line of job.sh", () => {
  it.each<[string[], object]>([
    [["help"], { name: "help" }],
    [["--help"], { name: "help" }],
    [["-h"], { name: "help" }],
    [["status", "x", "-h"], { name: "help" }],
    [["start", "--help"], { name: "help" }],
    [["status", "x"], { name: "status", id: "x", ...plain }],
    [["status", "--json", "--cwd", "/d", "x"], { name: "status", id: "x", cwd: "/d", json: true }],
    [["logs", "x"], { name: "logs", id: "x", tail: null, follow: false, ...plain }],
    [["logs", "x", "--tail", "5", "-f"], { tail: 5, follow: true }],
    [["logs", "x", "--follow", "--tail=0"], { tail: 0, follow: true }],
    [["stop", "x", "--force"], { name: "stop", id: "x", force: true }],
    [["list", "--state", "failed", "--limit", "2", "--offset", "1"], { state: "failed", limit: 2, offset: 1 }],
    [["list", "--tag-contains", "t"], { tagContains: "t" }],
    [["metrics", "--json"], { name: "metrics", json: true }],
    [["clean"], { name: "clean", olderThanHours: 24, dryRun: false }],
    [["clean", "--older-than-hours", "0", "--dry-run"], { olderThanHours: 0, dryRun: true }],
    [["start"], start],
    [["start", "--tag", "t", "--cwd", "/d", "--json"], { ...start, tag: "t", cwd: "/d", json: true }],
    [["start", "--tag=t", "--max-parallel=3", "--priority=-2"], { tag: "t", maxParallel: 3, priority: -2, args: [] }],
    [["start", "--max-parallel", "3", "--priority", "-2"], { maxParallel: 3, priority: -2, args: [] }],
    [["start", "--nonsense", "x", "-c", "text"], { args: ["--nonsense", "x", "-c", "text"] }],
    [["start", "--task", "--json"], { json: false, args: ["--task", "--json"] }],
    [["start", "--task=--json", "--", "--cwd", "z"], { cwd: null, args: ["--task=--json", "--", "--cwd", "z"] }],
    [["start", "--timeout", "5"], { args: ["--timeout", "5"] }],
    [["resume", "x"], { name: "resume", id: "x", isFresh: false, args: [] }],
    [["resume", "x", "--task", "on", "--json"], { id: "x", json: true, args: ["--task", "on"] }],
    [["resume", "--cwd", "/d", "x", "--strategy", "full-restart"], { id: "x", cwd: "/d", isFresh: true, args: [] }],
    [["resume", "x", "--strategy=from-last-checkpoint"], { id: "x", isFresh: false, args: [] }],
    [["resume", "x", "--", "--strategy", "odd"], { isFresh: false, args: ["--", "--strategy", "odd"] }],
    [["resume", "x", "--task", "--strategy"], { isFresh: false, args: ["--task", "--strategy"] }],
    [["resume", "x", "--tag", "--strategy=odd"], { isFresh: false, tag: "--strategy=odd", args: [] }],
  ])("%j", (argv, expected) => {
    expect(readJobCommand(argv)).toMatchObject({ ok: true, value: expected });
  });

  it.each<[string[], string]>([
    [[], "no command"],
    [["nonsense"], "unknown command nonsense"],
    [["toString"], "unknown command toString"],
    [["status"], "needs the id"],
    [["logs", "--tail", "3"], "needs the id"],
    [["stop"], "needs the id"],
    [["resume"], "needs the id"],
    [["resume", "--task", "x"], "needs the id"],
    [["resume", "x", "--strategy", "other"], "--strategy takes"],
    [["resume", "x", "--strategy"], "--strategy takes"],
    [["status", "x", "y"], "y"],
    [["list", "x"], "x"],
    [["status", "x", "--force"], "--force"],
    [["logs", "x", "--tail", "many"], "--tail takes a whole number"],
    [["logs", "x", "--tail=-1"], "--tail takes a whole number"],
    [["list", "--state", "odd"], "--state takes"],
    [["start", "--max-parallel", "few"], "--max-parallel takes a whole number"],
    [["start", "--max-parallel"], "--max-parallel needs a value"],
    [["start", "--cwd"], "--cwd needs a value"],
  ])("%j is none", (argv, why) => {
    expect(readJobCommand(argv)).toMatchObject({ ok: false, fault: { message: expect.stringContaining(why) } });
  });
});
