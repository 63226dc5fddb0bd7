// Runs tool calls in one process: reads a list of calls from standard input, prints one line per answer.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";

const { executeToolCall } = createRequire(import.meta.url)("../../dist/library.cjs");
const calls = JSON.parse(await text(process.stdin));
for (const [at, [name, args]] of calls.entries()) {
  const call = { id: String(at), type: "function", function: { name, arguments: JSON.stringify(args) } };
  const { content } = await executeToolCall(call);
  process.stdout.write(`${JSON.stringify(content)}\n`);
}
process.exit(0);
