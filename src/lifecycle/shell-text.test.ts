import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { insertText } from "./shell-text.ts";

const MARK = "$HERE$";
const run = (line: string) => execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" });

describe("[HOOK-2] a text inserted into a command is one word and is not executed", () => {
  it.each([`printf %s ${MARK}`, `printf %s '${MARK}'`, `printf %s "${MARK}"`, `printf %s 'a'"b"${MARK}`])(
    "whatever it contains: %s",
    (command) => {
      const before = command.includes("'a'") ? "ab" : "";
      const texts = fc.array(fc.constantFrom("'", '"', "\\", "$", "`", "(", ")", ";", "\n", "a", "測", "#", "!", " "));
      fc.assert(
        fc.property(texts, (parts) => {
          const text = parts.join("");
          expect(run(insertText(command, MARK, text) ?? "")).toBe(before + text);
        }),
        { numRuns: 60 },
      );
    },
  );

  it.each([`echo \`cat ${MARK}\``, `echo $(cat ${MARK})`, `cat <<E\n${MARK}\nE`, `true # ${MARK}`, `echo \\${MARK}`])(
    "is not inserted where the shell might interpret it: %s",
    (command) => {
      expect(insertText(command, MARK, "x")).toBeNull();
    },
  );

  it.each([
    `bash -c 'echo ${MARK}'`,
    `sh -ec "echo ${MARK}"`,
    `/usr/bin/env bash -c 'echo ${MARK}'`,
    `true; zsh -lc 'echo ${MARK}'`,
    `eval echo ${MARK}`,
    `echo ${MARK} | xargs rm`,
    `ssh host 'echo ${MARK}'`,
    `python3 -c 'print("${MARK}")'`,
    `node --eval "${MARK}"`,
    `sudo sh -c 'echo ${MARK}'`,
    `awk 'BEGIN { print "${MARK}" }'`,
    `docker run x sh -c '${MARK}'`,
  ])("[G D.9] is not passed to a program that interprets it as code: %s", (command) => {
    expect(insertText(command, MARK, "$(touch made)")).toBeNull();
  });

  it.each([
    `./check.sh ${MARK}`,
    `bash check.sh ${MARK}`,
    `python3 check.py '${MARK}'`,
    `jq . <x; printf %s ${MARK} >>log`,
  ])("is inserted as an argument of other programs: %s", (command) => {
    expect(insertText(command, MARK, "x")).toContain("x");
  });

  it("a command without the mark stays unchanged", () => {
    expect(insertText("echo `date` # x", MARK, "x")).toBe("echo `date` # x");
  });
});
