import fc from "fast-check";

/** State of a generated file on disk. */
export interface GeneratedFile {
  readonly text: string;
  readonly isLink: boolean;
  readonly mode: number;
}

const words = fc.constantFrom("model", "env", "theme", "权限", "a b", "x", "list", "it's", 'q"r');
const scalars = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom("// no comment", "/* nor this */", "{", "]", "\\", "\u0000", "é漢😀"),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: "medium" },
    scalars,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(words, tie("value"), { maxKeys: 3 }),
  ),
})).value;
const handlers = fc.record(
  {
    type: fc.constant("command"),
    command: fc.constantFrom("mine", "echo 1", "~/.claude/hooks/other.sh"),
    timeout: fc.nat(99),
  },
  { requiredKeys: ["command"] },
);
const groups = fc.oneof(
  fc.record({ matcher: fc.constantFrom("", "Bash"), hooks: fc.array(handlers, { maxLength: 2 }) }),
  scalars,
);

/** Settings in JSON: other settings, foreign hooks, comments, odd indentation, line endings, byte order mark. */
export function jsonFiles(events: readonly string[]): fc.Arbitrary<GeneratedFile> {
  const hooks = fc.dictionary(fc.constantFrom("Stop", "SessionStart", ...events), fc.array(groups, { maxLength: 3 }));
  const data = fc
    .record({ hooks }, { requiredKeys: [] })
    .chain((some) => fc.dictionary(words, values, { maxKeys: 4 }).map((rest) => ({ ...rest, ...some })));
  const indents = fc.constantFrom<string | number>(0, 1, 2, 4, 7, "\t", " \t");
  const marks = fc.array(fc.constantFrom("", "", "", " // c", " /* d */", "\n  // own line", "\n", " "), {
    maxLength: 40,
  });
  const text = fc
    .tuple(data, indents, marks, fc.boolean())
    .map(([object, indent, comments, hasCommas]) =>
      addMarks(JSON.stringify(object, null, indent), comments, hasCommas),
    );
  return onDisk(fc.oneof({ weight: 12, arbitrary: text }, fc.constantFrom("", " \n", "{}", "{ }", "{\n\n}\n")));
}

/** A JSON string never contains a raw newline, so a comment can be added at the end of any line. */
function addMarks(json: string, marks: readonly string[], hasCommas: boolean): string {
  const lines = json.split("\n");
  return lines
    .map((line, at) => {
      const closes = /^\s*[\]}]/.test(lines[at + 1] ?? "");
      const comma = hasCommas && closes && !/[[{,]\s*$/.test(line) ? "," : "";
      return line + comma + (marks.length === 0 ? "" : (marks[at % marks.length] ?? ""));
    })
    .join("\n");
}

const keys = fc.constantFrom("model", '"a.b"', "'c d'", "x.y", "approval_policy");
const tomlValues = fc.constantFrom(
  '"text"',
  "'lit # eral'",
  '"""\n[[hooks]]\ncommand = "x"\n"""',
  "'''\n[mcp_servers.code-intelligence]\n'''",
  "[ 1, 2,\n  3, # [x]\n]",
  "{ a = 1, b = '}' }",
  "1979-05-27T07:32:00Z",
  "0x_f".replace("_", ""),
  "9223372036854775807",
  "inf",
  "true",
);
const tails = fc.constantFrom("", "", " # note", "\n# own line", "\n", "\n\n");
const tables = fc.constantFrom(
  "[tui]",
  '  [ projects."/a b" ]',
  '[mcp_servers.other]\ncommand = "y"\n[mcp_servers.other.env]',
  '[[hooks]]\nevent = "Stop"\ncommand = "mine"',
  '[[hooks]]\nevent = "UserPromptSubmit"\ncommand = "mine" # keep',
  "[[profiles]]",
);

/** Settings in TOML: multi-line strings and arrays, foreign hooks and servers, comments, line endings. */
export function tomlFiles(): fc.Arbitrary<GeneratedFile> {
  const pairs = (prefix: string) =>
    fc
      .uniqueArray(fc.tuple(keys, tomlValues, tails), { selector: ([key]) => key, maxLength: 3 })
      .map((list) => list.map(([key, value, tail]) => `${prefix}${key} = ${value}${tail}\n`).join(""));
  const blocks = fc
    .uniqueArray(
      fc.tuple(
        tables,
        tails,
        pairs("  z-").map((text) => text.replace(/ z-["']/g, " $&").replace(/z-(["'])/g, "$1")),
      ),
      {
        // Only arrays of tables may repeat a header.
        selector: ([table]) => table,
        maxLength: 4,
      },
    )
    .map((list) => list.map(([table, tail, text]) => `${table}${tail}\n${text}`).join(""));
  const text = fc.tuple(pairs(""), blocks, fc.constantFrom("", "\n", "# end")).map((parts) => parts.join(""));
  return onDisk(fc.oneof({ weight: 12, arbitrary: text }, fc.constantFrom("", "\n", "# only this")));
}

function onDisk(texts: fc.Arbitrary<string>): fc.Arbitrary<GeneratedFile> {
  return fc
    .record({
      text: texts,
      isCrlf: fc.boolean(),
      hasBom: fc.boolean(),
      isCut: fc.boolean(),
      isLink: fc.boolean(),
      mode: fc.constantFrom(0o644, 0o600, 0o444, 0o400),
    })
    .map(({ text, isCrlf, hasBom, isCut, isLink, mode }) => {
      const ended = isCut ? text.trimEnd() : `${text}\n`;
      const lines = isCrlf ? ended.replace(/\r?\n/g, "\r\n") : ended;
      return { text: (hasBom ? "\uFEFF" : "") + lines, isLink, mode };
    });
}
