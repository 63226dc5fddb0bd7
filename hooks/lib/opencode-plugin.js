// groundwork-plugin: written by "groundwork install"; an upgrade rewrites it, uninstall removes it.
// opencode fails a prompt if a plugin throws, and waits forever for a promise: nothing here may throw or hang.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";

const LAUNCHER = "@launcher@";
const LIMIT_MS = 20_000;
const MOST_CHARS = 1_000_000;

/** Asks the launcher. Always resolves: with its output, or with "" if anything fails or takes too long. */
function ask(payload, cwd) {
  return new Promise((resolve) => {
    let text = "";
    let child;
    const finish = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    const timer = setTimeout(() => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {}
      finish("");
    }, LIMIT_MS);
    try {
      child = spawn(LAUNCHER, [], { cwd, detached: true, stdio: ["pipe", "pipe", "ignore"] });
      child.on("error", () => finish(""));
      child.stdin.on("error", () => {});
      child.stdout.on("error", () => {});
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (chunk) => {
        if (text.length < MOST_CHARS) text += chunk;
      });
      child.on("close", (code) => finish(code === 0 ? text : ""));
      child.stdin.end(JSON.stringify(payload));
    } catch {
      finish("");
    }
  });
}

export const Groundwork = async (context) => ({
  "chat.message": async (_input, output) => {
    try {
      const { message, parts } = output;
      const texts = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text);
      const cwd = context.directory;
      const prompt = texts.join("\n");
      if (prompt.trim() === "" || !message.id || !message.sessionID) return;
      const answer = await ask({ session_id: message.sessionID, cwd, prompt }, cwd);
      const text = answer.trim() === "" ? "" : JSON.parse(answer).additionalContext;
      if (typeof text !== "string" || text === "") return;
      // Parts are sorted by id: this one goes after the prompt.
      const id = `prt_zz${randomBytes(12).toString("hex")}`;
      parts.push({ id, sessionID: message.sessionID, messageID: message.id, type: "text", synthetic: true, text });
    } catch {}
  },
});
