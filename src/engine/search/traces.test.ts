import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { findFrames } from "./traces.ts";

describe("frames of stack traces", () => {
  it.each([
    [
      "Python, the last frame first",
      'Traceback (most recent call last):\n  File "/srv/app/views.py", line 12, in get\n    x()\n  File "/srv/app/db.py", line 7, in <lambda>\n    y()\nKeyError: 1',
      [
        { path: "srv/app/db.py", line: 7, inside: "<lambda" },
        { path: "srv/app/views.py", line: 12, inside: "get" },
      ],
    ],
    [
      "Node",
      "TypeError: x\n    at Router.handle (/srv/lib/router.js:10:5)\n    at async /srv/lib/app.mjs:3:1\n    at new Store (file:///srv/store.ts:8:2)",
      [
        { path: "srv/lib/router.js", line: 10, inside: "handle" },
        { path: "srv/lib/app.mjs", line: 3, inside: "" },
        { path: "srv/store.ts", line: 8, inside: "Store" },
      ],
    ],
    [
      "Java, with the folder from the package",
      "java.lang.NullPointerException\n\tat org.acme.io.Reader.read(Reader.java:42)\n\tat java.base/java.lang.Thread.run(Thread.java:833)",
      [{ path: "org/acme/io/Reader.java", line: 42, inside: "read" }],
    ],
    [
      "Go",
      "panic: nil\n\ngoroutine 1 [running]:\nmain.(*Server).Serve(0xc0, 0x1)\n\t/srv/cmd/server.go:31 +0x1d\n",
      [{ path: "srv/cmd/server.go", line: 31, inside: "Serve" }],
    ],
    [
      "Rust",
      "stack backtrace:\n   0: std::panicking::begin\n   1: acme::parser::parse_line\n             at ./src/parser.rs:88:9\n",
      [{ path: "src/parser.rs", line: 88, inside: "parse_line" }],
    ],
    ["Ruby", "lib/acme/store.rb:12:in `fetch'", [{ path: "lib/acme/store.rb", line: 12, inside: "fetch" }]],
    [
      "PHP",
      "#0 /srv/src/Store.php(12): Acme\\Store->fetch()",
      [{ path: "srv/src/Store.php", line: 12, inside: "fetch" }],
    ],
    [
      "C#",
      "   at Acme.Store.Fetch(String key) in C:\\srv\\Store.cs:line 12",
      [{ path: "C:/srv/Store.cs", line: 12, inside: "Fetch" }],
    ],
  ])("%s", (_, text, frames) => {
    expect(findFrames(text)).toEqual(frames);
  });

  it("are not found in prose", () => {
    expect(findFrames("look at the store, at line 12 of the file")).toEqual([]);
  });

  it("are limited to a hundred in any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => findFrames(text).length <= 100));
    expect(findFrames("a.rb:1:in `b'\n".repeat(500))).toHaveLength(100);
  });

  it.each([
    ["at ", "at a"],
    ["dots", "a.".repeat(10_000)],
    ["slashes", `at ${"/a".repeat(10_000)}`],
    ["brackets", "at (".repeat(10_000)],
    ["blanks", `File "${" ".repeat(20_000)}`],
  ])("are found quickly in twenty thousand characters of %s", (_, text) => {
    const spent = countFloors();
    findFrames(text);
    expect(spent()).toBeLessThan(100);
  });
});
