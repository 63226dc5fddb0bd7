/** A small service in five languages, as the subject of dialogues. */
export const DIALOGUE_FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "courier" }\n',
  "server/retry.ts": `const BASE_MS = 200;

/** Milliseconds to wait before the next attempt. */
export function nextDelay(attempt: number): number {
  return BASE_MS * 2 ** attempt;
}

/** Runs a task until it succeeds or the attempts are used up. */
export async function withRetry<T>(task: () => Promise<T>, attempts: number): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      if (attempt >= attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, nextDelay(attempt)));
    }
  }
}
`,
  "server/session.ts": `/** Signed-in users, by their cookie. */
export class SessionStore {
  private readonly entries = new Map<string, number>();

  /** Drops what has expired. */
  sweep(now: number): void {
    for (const [cookie, end] of this.entries) if (end < now) this.entries.delete(cookie);
  }
}

/** Lets a session last another hour. */
export function renewSession(store: SessionStore, cookie: string): void {
  store.sweep(Date.now());
}
`,
  "server/retry.test.ts": `import { nextDelay } from "./retry.ts";

test("delays grow", () => expect(nextDelay(2)).toBe(800));
`,
  "jobs/worker.py": `"""Takes jobs off the queue."""


def enqueue_job(queue, job):
    """Puts a job at the end of the queue."""
    queue.append(job)


def drain_queue(queue, handler):
    """Handles every job that waits, oldest first."""
    while queue:
        job = queue.pop(0)
        if not handler(job):
            enqueue_job(queue, job)
`,
  "report/report.go": `package report

import "strings"

// BuildReport puts the monthly report together.
func BuildReport(rows []Row) string {
	var out strings.Builder
	writeRows(&out, rows)
	return out.String()
}

func writeRows(out *strings.Builder, rows []Row) {
	for _, row := range rows {
		out.WriteString(row.Name)
	}
}
`,
  "parser/src/lib.rs": `/// Reads the name and value of a header line.
pub fn parse_header(line: &str) -> Option<(&str, &str)> {
    let line = skip_blanks(line);
    line.split_once(':')
}

/// The text after leading blanks.
fn skip_blanks(text: &str) -> &str {
    match text.strip_prefix(' ') {
        Some(rest) => skip_blanks(rest),
        None => text,
    }
}
`,
  "billing/InvoicePrinter.java": `package billing;

/** Prints invoices. */
public class InvoicePrinter {
    /** The sum as customers see it. */
    public String formatTotal(long cents) {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }

    public String print(long cents) {
        return "Total: " + formatTotal(cents);
    }
}
`,
};

/** Two turns of a conversation, and the subject of the second. */
interface Dialogue {
  readonly first: string;
  readonly next: string;
  /** Symbol that the tools must be asked about; a path if the first question names no symbol. */
  readonly about: string;
}

/** Ten dialogues in English and ten in Chinese, written before the code that understands them. */
export const DIALOGUES: readonly Dialogue[] = [
  { first: "where is nextDelay defined?", next: "and who calls it?", about: "nextDelay" },
  {
    first: "why does parse_header return None for an empty line?",
    next: "can you show me where that function is tested?",
    about: "parse_header",
  },
  { first: "explain what SessionStore does", next: "how does it expire old entries?", about: "SessionStore" },
  {
    first: "there's a bug in server/retry.ts, the waits grow too fast",
    next: "what else depends on that?",
    about: "server/retry.ts",
  },
  { first: "how do we build the monthly report?", next: "what about its tests?", about: "BuildReport" },
  {
    first: "refactor InvoicePrinter.formatTotal so that it rounds half up",
    next: "which files would be affected?",
    about: "InvoicePrinter.formatTotal",
  },
  {
    first: "drain_queue is terribly slow with many jobs, why?",
    next: "does it call enqueue_job?",
    about: "drain_queue",
  },
  { first: "what is skip_blanks good for?", next: "why is it recursive?", about: "skip_blanks" },
  { first: "add a jitter option to withRetry", next: "same thing for nextDelay please", about: "nextDelay" },
  { first: "what does renewSession do?", next: "show me more", about: "renewSession" },
  { first: "nextDelay 是在哪里定义的？", next: "那谁调用了它", about: "nextDelay" },
  { first: "parse_header 遇到空行为什么返回 None？", next: "这个函数有测试吗", about: "parse_header" },
  { first: "讲讲 SessionStore 的原理", next: "它是怎么清理过期数据的？", about: "SessionStore" },
  {
    first: "server/retry.ts 里的等待时间算错了，帮我看看",
    next: "还有哪些地方用到了它？",
    about: "server/retry.ts",
  },
  { first: "BuildReport 报错了，rows 是 nil", next: "刚才那个函数在哪个文件里", about: "BuildReport" },
  { first: "帮我重构一下 InvoicePrinter", next: "会影响到哪些地方？", about: "InvoicePrinter" },
  { first: "drain_queue 在任務多的時候很慢，幫我看看程式碼", next: "為什麼會這樣？", about: "drain_queue" },
  { first: "谁调用了 renewSession？", next: "那 withRetry 呢？", about: "withRetry" },
  { first: "formatTotal 的四舍五入不对", next: "把它改成银行家舍入，顺便看看谁在用", about: "formatTotal" },
  { first: "請問 skip_blanks 是做什麼用的？", next: "它在哪裡被呼叫？", about: "skip_blanks" },
];

/** Prompts between questions that only continue the work: they need no evidence, whatever was said before. */
export const CONTROL_TURNS: readonly string[] = [
  "ok do it",
  "yes",
  "yes, do that please",
  "thanks, that was it",
  "go ahead with it",
  "that works, thank you",
  "looks good to me",
  "commit it",
  "push this to the branch",
  "does that make sense to you?",
  "how is it going?",
  "no, not like that",
  "what's the weather like there?",
  "好的，继续",
  "可以，就这样",
  "谢谢，这个没问题了",
  "把它提交了吧",
  "就按你说的做",
  "这样可以吗",
  "嗯，这个好",
  "那里天气怎么样？",
];
