/** A stack frame. */
export interface StackFrame {
  /** With forward slashes, without leading dots; only the file name if the trace has no more. */
  readonly path: string;
  readonly line: number;
  /** Function name as written in the trace; empty if there is none. */
  readonly inside: string;
}

interface TraceForm {
  readonly pattern: RegExp;
  /** Group numbers of path, line and function in a match. */
  readonly path: number;
  readonly line: number;
  readonly inside: number;
  /** Whether the failing frame comes first. */
  readonly isInnerFirst: boolean;
  /** Whether the qualifier of the function name is the folder, written with dots. */
  readonly hasPackage?: true;
}

// Every repetition is bounded, because the text is untrusted.
const FORMS: readonly TraceForm[] = [
  // Python: File "a/b.py", line 12, in name
  {
    pattern: /File "([^"\n]{1,300})", line (\d{1,7})(?:, in ([\w.<>]{1,100}))?/g,
    path: 1,
    line: 2,
    inside: 3,
    isInnerFirst: false,
  },
  // Java, Kotlin, Scala: at org.name.Type.method(Type.java:12)
  {
    pattern: /\bat ((?:[\w$]{1,60}\.){1,12}[\w$<>]{1,80})\((\w{1,80}\.(?:java|kt|scala|groovy)):(\d{1,7})\)/g,
    path: 2,
    line: 3,
    inside: 1,
    isInnerFirst: true,
    hasPackage: true,
  },
  // JavaScript: at name (/a/b.js:12:5), at /a/b.js:12:5
  {
    pattern:
      /\bat (?:async )?(?:(?:new )?([\w.$<>[\] ]{1,100}) \()?(?:file:\/\/)?([\w@./\\: -]{1,300}\.[cm]?[jt]sx?):(\d{1,7}):\d{1,7}/g,
    path: 2,
    line: 3,
    inside: 1,
    isInnerFirst: true,
  },
  // C#: at Name.Type.Method() in /a/b.cs:line 12
  {
    pattern: /\bat ([\w.<>`]{1,200})\([^)\n]{0,300}\) in ([^\n]{1,300}?\.(?:cs|fs|vb)):line (\d{1,7})/g,
    path: 2,
    line: 3,
    inside: 1,
    isInnerFirst: true,
  },
  // Ruby: a/b.rb:12:in `name'
  {
    pattern: /([\w@./-]{1,300}\.rb):(\d{1,7}):in [`']([\w#.:?! ]{1,100})'/g,
    path: 1,
    line: 2,
    inside: 3,
    isInnerFirst: true,
  },
  // PHP: #0 /a/b.php(12): Name->method()
  {
    pattern: /#\d{1,4} ([\w@./\\: -]{1,300}\.php)\((\d{1,7})\): ([\w\\:>-]{1,200})/g,
    path: 1,
    line: 2,
    inside: 3,
    isInnerFirst: true,
  },
  // Rust: 3: name::of::function, followed by a line with at ./src/b.rs:12:5
  {
    pattern: /(?:\d{1,4}: {1,3}([\w:<>{}$ ]{1,200})\n {1,20})?at ([\w@./-]{1,300}\.rs):(\d{1,7})/g,
    path: 2,
    line: 3,
    inside: 1,
    isInnerFirst: true,
  },
  // Go: name.of/function(...), followed by a line with /a/b.go:12 +0x1d
  {
    pattern: /([\w./*()-]{1,200})\([^\n]{0,200}\)\n\s{1,10}([\w@./-]{1,300}\.go):(\d{1,7})/g,
    path: 2,
    line: 3,
    inside: 1,
    isInnerFirst: true,
  },
];

const MOST_FRAMES = 100;

/** The frames of all stack traces in a text, the failing one first. Contract: at most 100; never throws. */
export function findFrames(text: string): StackFrame[] {
  const frames: StackFrame[] = [];
  for (const form of FORMS) {
    const own = Array.from(text.matchAll(form.pattern), (match): StackFrame => {
      const inside = match[form.inside] ?? "";
      const folder = form.hasPackage === undefined ? "" : inside.split(".").slice(0, -2).join("/");
      const path = (match[form.path] ?? "").replaceAll("\\", "/").replace(/^(?:\.{0,2}\/)+/, "");
      return {
        path: folder === "" ? path : `${folder}/${path}`,
        line: Number(match[form.line]),
        inside: lastName(inside),
      };
    });
    frames.push(...(form.isInnerFirst ? own : own.reverse()));
  }
  return frames.slice(0, MOST_FRAMES);
}

/** `Type.method`, `Type->method`, `(*Type).method` → `method`. */
function lastName(written: string): string {
  return (
    written
      .split(/[.:#>()\\/ ]+/)
      .filter((part) => part !== "")
      .at(-1) ?? ""
  );
}
