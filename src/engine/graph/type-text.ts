import { toWordSet } from "../word-set.ts";

/** Wrapper types: the members of their content are accessed after an await, a check or a dereference. */
const TRANSPARENT = toWordSet(
  "Promise PromiseLike Awaited Readonly Partial Required NonNullable DeepPartial Optional Final ClassVar Annotated Awaitable " +
    "Coroutine Box Rc Arc Ref RefMut RefCell Cell Mutex RwLock MutexGuard Option Result Pin Cow Weak " +
    "unique_ptr shared_ptr weak_ptr optional Task ValueTask Nullable Lazy CompletableFuture Future Deferred Try",
);

/** Collections whose last type argument is the element type. */
const CONTAINERS = toWordSet(
  "Array ReadonlyArray Set ReadonlySet Map ReadonlyMap WeakMap Iterable Iterator AsyncIterable Generator AsyncGenerator List list " +
    "Sequence MutableSequence Collection Tuple tuple FrozenSet frozenset set Dict dict Mapping MutableMapping DefaultDict " +
    "ArrayList LinkedList HashSet HashMap TreeMap LinkedHashMap Queue Deque deque Stream Vec VecDeque BTreeMap IndexMap Slice " +
    "vector map unordered_map IEnumerable IList ICollection IReadOnlyList IReadOnlyCollection Dictionary IDictionary Seq " +
    "MutableList MutableMap MutableSet Flow",
);

const NOTHING = /^(?:null|undefined|None|nil|void|never|unknown|any|false|true|string|number|boolean)$/;

/**
 * The names that a written type may refer to, without arguments, pointers and wrappers: `Promise<a.Foo | null>` →
 * `a.Foo`.
 *
 * Contract: at most eight; empty if the type has no name (functions, literals, containers).
 */
export function namesIn(type: string): string[] {
  const names: string[] = [];
  collect(type, names, 0);
  return names.slice(0, 8);
}

function collect(type: string, names: string[], depth: number): void {
  const text = bare(type);
  if (depth > 6 || text === "" || isFunction(text)) return;
  const parts = splitTop(text, "|&");
  if (parts.length > 1) {
    for (const part of parts) collect(part, names, depth + 1);
    return;
  }
  if (/\]$/.test(text) && /\[\s*\d*\]$/.test(text)) return;
  const { name, args } = split(text);
  const last = name.split(/::|\./).at(-1) ?? "";
  if (args.length > 0 && TRANSPARENT.has(last)) {
    collect(last === "Coroutine" ? (args.at(-1) ?? "") : (args[0] ?? ""), names, depth + 1);
    return;
  }
  if (NOTHING.test(name) || CONTAINERS.has(last) || !/^[\w$.:\\#]+$/.test(name)) return;
  names.push(name.replaceAll("::", ".").replace(/^\./, ""));
}

/** The element type of a written type; empty if it is not a container. */
export function elementOf(type: string): string {
  const text = bare(type);
  const list = /^(.*)\[\s*\d*\]$/s.exec(text)?.[1];
  if (list) return list;
  const go = /^(?:\[\d*\]|map\[[^\]]*\]|chan\s)(.+)$/s.exec(text)?.[1];
  if (go) return go;
  const swift = /^\[(?:[^\]:]*:)?([^\];]+)(?:;[^\]]*)?\]$/.exec(text)?.[1];
  if (swift) return swift;
  const { name, args } = split(text);
  const last = name.split(/::|\./).at(-1) ?? "";
  if (CONTAINERS.has(last)) return args.at(-1) ?? "";
  return TRANSPARENT.has(last) && args[0] ? elementOf(args[0]) : "";
}

/** The return type of a written function type; empty if it is not a function. */
export function resultOf(type: string): string {
  const text = bare(type);
  const arrow = /^(?:<[^>]*>\s*)?\(.*\)\s*(?:=>|->)\s*(.+)$/s.exec(text)?.[1];
  if (arrow) return arrow;
  return (
    /^func\s*\([^()]*\)\s*\(?\s*([^,()]+)/.exec(text)?.[1] ??
    (/^Callable\[/.test(text) ? (split(text).args.at(-1) ?? "") : "")
  );
}

const isFunction = (text: string) => /=>|->|^func\b|^fn\b|^Callable\b/.test(text);

/** Strips pointers, references, modifiers and optional markers. */
function bare(type: string): string {
  let text = type.trim().replace(/^(["'])(.*)\1$/s, "$2");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text
      .replace(
        /^(?:[*&?]+|'\w+\s|(?:mut|dyn|impl|const|readonly|final|struct|enum|unsigned|inline|static|volatile|keyof|typeof)\s+)/,
        "",
      )
      .replace(/[*&?!]+$/, "")
      .replace(/\s+const$/, "")
      .trim();
    if (/^\([^()]*\)$/.test(text)) text = text.slice(1, -1);
  }
  return text;
}

/** `a.B<C, D>`, `B[C]` → name and arguments. */
function split(text: string): { readonly name: string; readonly args: readonly string[] } {
  const open = text.search(/[<[]/);
  if (open < 0) return { name: text.trim(), args: [] };
  const close = Math.max(text.lastIndexOf(">"), text.lastIndexOf("]"));
  return { name: text.slice(0, open).trim(), args: splitTop(text.slice(open + 1, close < 0 ? undefined : close), ",") };
}

/** Splits at separators that are not inside brackets. */
function splitTop(text: string, separators: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if ("<([{".includes(sign)) depth++;
    else if (")]}".includes(sign) || (sign === ">" && !"=-".includes(text.charAt(at - 1)))) depth--;
    else if (depth === 0 && separators.includes(sign)) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts.filter((part) => part !== "");
}
