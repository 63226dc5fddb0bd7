import { toPlainPath } from "./traits.ts";

/** A stack frame. */
export interface StackFrame {
  /** With forward slashes, without leading dots; only the file name if the trace has no more. */
  readonly path: string;
  readonly line: number;
  /** Function name as written in the trace; empty if there is none. */
  readonly inside: string;
}

/** How the traces of a runtime look: a pattern with the groups `path`, `line` and `inside`. */
interface TraceForm {
  readonly pattern: RegExp;
  /** Set if the failing frame comes last. */
  readonly isInnerLast?: true;
  /** Set if the qualifier of the function name is the folder, written with dots. */
  readonly hasPackage?: true;
}

// Every repetition is bounded, because the text is untrusted.
const FORMS: readonly TraceForm[] = [
  // Python: File "a/b.py", line 12, in name
  {
    pattern: /File "(?<path>[^"\n]{1,300})", line (?<line>\d{1,7})(?:, in (?<inside>[\w.<>]{1,100}))?/g,
    isInnerLast: true,
  },
  // JVM: at org.name.Type.method(Type.java:12)
  {
    pattern:
      /\bat (?<inside>(?:[\w$]{1,60}\.){1,12}[\w$<>]{1,80})\((?<path>\w{1,80}\.(?:java|kt|scala|groovy)):(?<line>\d{1,7})\)/g,
    hasPackage: true,
  },
  // JavaScript: at name (/a/b.js:12:5), at /a/b.js:12:5
  {
    pattern:
      /\bat (?:async )?(?:(?:new )?(?<inside>[\w.$<>[\] ]{1,100}) \()?(?:file:\/\/)?(?<path>[\w@./\\: -]{1,300}\.[cm]?[jt]sx?):(?<line>\d{1,7}):\d{1,7}/g,
  },
  // .NET: at Name.Type.Method() in /a/b.cs:line 12
  {
    pattern:
      /\bat (?<inside>[\w.<>`]{1,200})\([^)\n]{0,300}\) in (?<path>[^\n]{1,300}?\.(?:cs|fs|vb)):line (?<line>\d{1,7})/g,
  },
  // Ruby: a/b.rb:12:in `name'
  { pattern: /(?<path>[\w@./-]{1,300}\.rb):(?<line>\d{1,7}):in [`'](?<inside>[\w#.:?! ]{1,100})'/g },
  // PHP: #0 /a/b.php(12): Name->method()
  { pattern: /#\d{1,4} (?<path>[\w@./\\: -]{1,300}\.php)\((?<line>\d{1,7})\): (?<inside>[\w\\:>-]{1,200})/g },
  // Rust: 3: name::of::function, followed by a line with at ./src/b.rs:12:5
  {
    pattern:
      /(?:\d{1,4}: {1,3}(?<inside>[\w:<>{}$ ]{1,200})\n {1,20})?at (?<path>[\w@./-]{1,300}\.rs):(?<line>\d{1,7})/g,
  },
  // Go: name.of/function(...), followed by a line with /a/b.go:12 +0x1d
  { pattern: /(?<inside>[\w./*()-]{1,200})\([^\n]{0,200}\)\n\s{1,10}(?<path>[\w@./-]{1,300}\.go):(?<line>\d{1,7})/g },
];

const MOST_FRAMES = 100;

/** The frames of all stack traces in a text, the failing one first. Contract: at most 100; never throws. */
export function findFrames(text: string): StackFrame[] {
  const frames: StackFrame[] = [];
  for (const { pattern, isInnerLast, hasPackage } of FORMS) {
    const own = Array.from(text.matchAll(pattern), ({ groups = {} }): StackFrame => {
      const inside = groups.inside ?? "";
      const folder = hasPackage ? inside.split(".").slice(0, -2).join("/") : "";
      const path = toPlainPath(groups.path ?? "");
      return {
        path: folder === "" ? path : `${folder}/${path}`,
        line: Number(groups.line),
        inside: lastName(inside),
      };
    });
    frames.push(...(isInnerLast ? own.reverse() : own));
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
