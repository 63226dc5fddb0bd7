/** One thing that a tool found, in the shape that every tool's answer is brought into. */
export interface Finding {
  readonly tool: string;
  /** Repository-relative path with forward slashes; empty where the finding is about no file. */
  readonly path: string;
  readonly line: number | null;
  readonly symbol: string;
  readonly title: string;
  /** What it says about the question, one line. */
  readonly summary: string;
  /** 0 to 1, comparable within one tool only. */
  readonly confidence: number;
  /** How the tool came to it ("text match", "caller of rateFor"); may be empty. */
  readonly reason: string;
  /** Lines worth quoting, 1-based and inclusive. */
  readonly span?: { readonly start: number; readonly end: number };
  readonly claim?: { readonly key: string; readonly polarity: "support" | "oppose" | "unknown" };
}

/** A finding as its tool tells it. */
export type ToolFinding = Omit<Finding, "tool">;
