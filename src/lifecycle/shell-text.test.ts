import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { insertText } from "./shell-text.ts";

const MARK = "$HERE$";
const run = (line: string) => execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" });

describe("[HOOK-2] a text in a command is one word, and nothing of it is run", () => {
  it.each([`printf %s ${MARK}`, `printf %s '${MARK}'`, `printf %s "${MARK}"`, `printf %s 'a'"b"${MARK}`])(
    "whatever it says: %s",
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
    "is not put where the shell might read it: %s",
    (command) => {
      expect(insertText(command, MARK, "x")).toBeNull();
    },
  );

  it("a command without the mark stays as it is", () => {
    expect(insertText("echo `date` # x", MARK, "x")).toBe("echo `date` # x");
  });
});
