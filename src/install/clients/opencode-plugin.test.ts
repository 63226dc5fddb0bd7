import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { makeScratch } from "../scratch-home.test-helper.ts";
import { locateFiles } from "./find-clients.ts";

interface Part {
  readonly id?: string;
  readonly type: string;
  readonly text: string;
  readonly synthetic?: boolean;
}
interface Output {
  readonly message: unknown;
  readonly parts: unknown;
}
type Hook = (input: unknown, output: unknown) => Promise<void>;

/** Returns the plugin as it is installed in a home folder, with its launcher. */
function makePlugin({ places }: ReturnType<typeof makeScratch>) {
  const { launcher, own } = locateFiles("opencode", places.home, {});
  const plugin = own.at(-1);
  return { launcher, text: plugin?.make({ root: places.projectRoot, node: "/n" }) ?? "", isOurs: plugin?.isOurs };
}

/** Loads the plugin as opencode does, with a launcher of the given text; null for no launcher. */
async function load(launcher: string | null, limitMs = 60_000) {
  const scratch = makeScratch();
  const plugin = makePlugin(scratch);
  const folder = dirname(plugin.launcher);
  mkdirSync(folder, { recursive: true });
  if (launcher !== null) scratch.write(plugin.launcher, launcher, 0o755);
  const file = join(folder, "groundwork.mjs");
  writeFileSync(file, plugin.text.replace("LIMIT_MS = 20_000", `LIMIT_MS = ${limitMs}`));
  const loaded: Record<string, (context: unknown) => Promise<Record<string, Hook>>> = await import(
    pathToFileURL(file).href
  );
  // opencode calls every export as a plugin.
  expect(Object.keys(loaded)).toEqual(["Groundwork"]);
  const hooks = await loaded["Groundwork"]?.({ directory: folder });
  return { folder, hook: hooks?.["chat.message"] as Hook };
}

const toOutput = (parts: readonly Part[] = [{ id: "prt_1", type: "text", text: "who calls main?" }]): Output => ({
  message: { id: "msg_1", sessionID: "ses_1" },
  parts: [...parts],
});
const EVIDENCE = `#!/bin/sh\ncat >"\${0%/*}/asked"\nprintf '{"additionalContext":"evidence"}\\n'\n`;

describe("[P-5] opencode's plugin file", () => {
  it("appends the evidence to the prompt, with the ids that opencode requires", async () => {
    const { hook } = await load(EVIDENCE);
    const output = toOutput();
    await hook({}, output);
    expect(output.parts).toEqual([
      { id: "prt_1", type: "text", text: "who calls main?" },
      {
        id: expect.stringMatching(/^prt_zz[0-9a-f]{24}$/),
        sessionID: "ses_1",
        messageID: "msg_1",
        type: "text",
        synthetic: true,
        text: "evidence",
      },
    ]);
  });

  it("asks with the user's own text, not with what others added", async () => {
    const { folder, hook } = await load(EVIDENCE);
    await hook({}, toOutput([{ type: "text", text: "a", synthetic: true }]));
    await hook({}, toOutput([{ type: "file", text: "b" }]));
    expect(existsSync(join(folder, "asked"))).toBe(false);
    await hook(
      {},
      toOutput([
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ]),
    );
    expect(JSON.parse(readFileSync(join(folder, "asked"), "utf8"))).toEqual({
      session_id: "ses_1",
      cwd: folder,
      prompt: "one\ntwo",
    });
  });

  it.each([
    ["is missing", null],
    ["cannot be started", "no script"],
    ["fails", '#!/bin/sh\necho \'{"additionalContext":"x"}\'\nexit 3\n'],
    ["dies", "#!/bin/sh\nkill -9 $$\n"],
    ["prints nothing", "#!/bin/sh\n"],
    ["prints no JSON", "#!/bin/sh\necho hello\n"],
    ["prints another shape", '#!/bin/sh\necho \'{"additionalContext":{"a":1}}\'\n'],
    ["prints without end", "#!/bin/sh\nyes | head -c 5000000\n"],
    ["does not read", "#!/bin/sh\nexec <&-\n"],
  ])("leaves the prompt unchanged if the launcher %s", async (_name, launcher) => {
    const { hook } = await load(launcher);
    const output = toOutput();
    await hook({}, output);
    expect(output.parts).toHaveLength(1);
  });

  it("ends a slow launcher with everything it started, and lets the prompt continue", async () => {
    const { folder, hook } = await load('#!/bin/sh\necho $$ >"$(dirname "$0")/pid"\nsleep 600 & sleep 600\n', 1_500);
    const output = toOutput();
    await hook({}, output);
    expect(output.parts).toHaveLength(1);
    const group = Number(readFileSync(join(folder, "pid"), "utf8"));
    // A killed process may remain for a moment until it is reaped.
    await expect.poll(() => isAlive(-group)).toBe(false);
  });

  it.each([
    ["nothing", undefined],
    ["no message", { parts: [] }],
    ["parts of another kind", { message: { id: "m", sessionID: "s" }, parts: {} }],
    ["no ids", { message: {}, parts: [{ type: "text", text: "x" }] }],
  ])("does not throw when it is handed %s", async (_name, output) => {
    const { hook } = await load(EVIDENCE);
    await expect(hook(undefined, output)).resolves.toBeUndefined();
  });

  it("is recognised as ours, whatever was added to it", () => {
    const { text, isOurs } = makePlugin(makeScratch());
    expect(isOurs?.(`// x\r\n${text.replaceAll("\n", "\r\n")}`)).toBe(true);
    expect(isOurs?.("export const Other = 1;\n")).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
