/**
 * A pattern of a language's table: the subset of tree-sitter's query language that the tables use, with the same
 * meaning: `(type field: (child) "token" !absent . (next))`, `[either or]`, `(_)` any named node, `_` any node,
 * `@capture`, `(#eq? @capture "text")`, `#any-of?`, `#match?`.
 */
export interface Pattern {
  /** Matching type ids; null for every named node, undefined for every node. */
  readonly types: ReadonlySet<number> | null | undefined;
  readonly field: number;
  readonly captures: readonly string[];
  readonly steps: readonly PatternStep[];
  /** Whether the last step must match the last child. */
  readonly endsLast: boolean;
  /** Fields that must be absent. */
  readonly absent: readonly number[];
  /** Alternatives, which replace all of the above except the field and the captures. */
  readonly either: readonly Pattern[];
}

/** A child that a pattern requires. */
interface PatternStep {
  readonly pattern: Pattern;
  /** Whether it must directly follow the previous step, or be first. */
  readonly isNext: boolean;
}

/** A condition on the text of a capture. */
interface Condition {
  readonly capture: string;
  readonly fits: (text: string) => boolean;
}

/** One entry of a table. */
export interface TreeRule {
  readonly pattern: Pattern;
  readonly conditions: readonly Condition[];
}

/** Maps names to the ids of a grammar. */
export interface Ids {
  /** Contract: throws for a type that the grammar does not have. */
  typeId(name: string, isNamed: boolean): number;
  /** Contract: throws for a field that the grammar does not have. */
  fieldId(name: string): number;
}

/** Parses the rules of a table. Contract: throws if the table is wrong; a test parses every table. */
export function readRules(source: string, ids: Ids): TreeRule[] {
  const reader = new Reader(source, ids);
  const rules: TreeRule[] = [];
  while (reader.peek() !== undefined) rules.push(reader.rule());
  return rules;
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|#[\w-]+\?|@[\w.]+|![\w]+|\w+:|[\w]+|[()[\].])/gy;

class Reader {
  readonly #tokens: string[] = [];
  readonly #ids: Ids;
  #at = 0;
  #conditions: Condition[] = [];

  constructor(source: string, ids: Ids) {
    this.#ids = ids;
    const text = source.trimEnd();
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.length) {
      const from = TOKEN.lastIndex;
      const token = TOKEN.exec(text)?.[1];
      if (token === undefined) throw new Error(`unreadable pattern at ${text.slice(from, from + 40)}`);
      this.#tokens.push(token);
    }
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  rule(): TreeRule {
    this.#conditions = [];
    const pattern = this.#pattern(0);
    return { pattern, conditions: this.#conditions };
  }

  #take(expected?: string): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw new Error(`expected ${expected ?? "more"} and found ${token ?? "the end"} at token ${this.#at}`);
    }
    return token;
  }

  #pattern(field: number): Pattern {
    const token = this.#take();
    if (token.endsWith(":")) return this.#pattern(this.#ids.fieldId(token.slice(0, -1)));
    if (token === "[") return this.#either(field);
    if (token === "(") return this.#node(field);
    const types = token === "_" ? undefined : new Set([this.#ids.typeId(unquote(token), false)]);
    return { types, field, steps: [], endsLast: false, absent: [], either: [], captures: this.#captures() };
  }

  #either(field: number): Pattern {
    const either: Pattern[] = [];
    while (this.peek() !== "]") either.push(this.#pattern(0));
    this.#take("]");
    return { types: undefined, field, steps: [], endsLast: false, absent: [], either, captures: this.#captures() };
  }

  #node(field: number): Pattern {
    const name = this.#take();
    const types = name === "_" ? null : new Set([this.#ids.typeId(name, true)]);
    const steps: PatternStep[] = [];
    const absent: number[] = [];
    let isNext = false;
    for (let token = this.peek(); token !== ")"; token = this.peek()) {
      if (token === ".") {
        this.#take();
        isNext = true;
      } else if (token?.startsWith("!")) {
        absent.push(this.#ids.fieldId(this.#take().slice(1)));
      } else if (token === "(" && this.#tokens[this.#at + 1]?.startsWith("#")) {
        this.#condition();
      } else {
        steps.push({ pattern: this.#pattern(0), isNext });
        isNext = false;
      }
    }
    this.#take(")");
    return { types, field, steps, endsLast: isNext, absent, either: [], captures: this.#captures() };
  }

  #captures(): string[] {
    const captures: string[] = [];
    while (this.peek()?.startsWith("@")) captures.push(this.#take().slice(1));
    return captures;
  }

  #condition(): void {
    this.#take("(");
    const operator = this.#take();
    const capture = this.#take().slice(1);
    const texts: string[] = [];
    while (this.peek() !== ")") texts.push(unquote(this.#take()));
    this.#take(")");
    this.#conditions.push({ capture, fits: makeCondition(operator, texts) });
  }
}

const unquote = (token: string) => token.slice(1, -1).replace(/\\(.)/g, "$1");

function makeCondition(operator: string, texts: readonly string[]): (text: string) => boolean {
  if (operator === "#match?") {
    const pattern = new RegExp(texts[0] ?? "");
    return (text) => pattern.test(text);
  }
  if (operator !== "#eq?" && operator !== "#any-of?") throw new Error(`unknown condition ${operator}`);
  const known = new Set(texts);
  return (text) => known.has(text);
}
