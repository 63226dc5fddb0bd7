import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { isRecord } from "../base/text.ts";
import { type ClientFacts, type ClientName, measureFor } from "../contract/clients.ts";
import { FAULTS } from "../contract/faults.ts";

/** A row of the client table, with the client's name. */
export type KnownClient = ClientFacts & { readonly name: ClientName };

/** Output of a hook, parsed as its client would parse it. */
export interface HookAnswer {
  /** Why the client cannot accept it; empty if it can. */
  readonly why: string;
  /** Text that the client's model would get. */
  readonly context: string;
}

/** No folder can be created here, so that nothing is stored about a question that no user asked. */
const NO_STATE = "/dev/null/groundwork/sample";

/**
 * Returns a question about our own hook scripts, which every installation contains unchanged, with the folder and
 * environment to ask it in. Contract: a hook that is asked there writes nothing and leaves no process running.
 */
export function makeSample(projectRoot: string, given: Environment) {
  const cwd = join(projectRoot, "hooks");
  const { CI_ORCH_CLIENT_NAME: _named, GROUNDWORK_DOOR: _door, ...rest } = given;
  const env = {
    ...rest,
    CI_AUTO_TOOLS: "on",
    CI_AUTO_TOOLS_MODE: "run",
    CI_AUTO_TOOLS_DRY_RUN: "0",
    CI_AUTO_TOOLS_INDEX: "off",
    CI_AUTO_TOOLS_REPO_ROOT: cwd,
    GROUNDWORK_RESIDENT: "off",
    GROUNDWORK_HOME: NO_STATE,
  };
  return { question: "where is run_guarded defined, and who calls it?", cwd, env };
}

/** Returns a client's payload for its hook. Contract: names neither session nor turn, so that nothing is stored. */
export function toHookPayload({ event, shape }: KnownClient, cwd: string, question: string): string {
  const prompt = shape === "message" ? [{ type: "text", text: question }] : question;
  return JSON.stringify({ cwd, hook_event_name: event, prompt });
}

/** Parses the output of a hook as its client does. Contract: pure. */
export function readHookOutput(client: KnownClient, stdout: string): HookAnswer {
  const refuse = (why: string): HookAnswer => ({ why, context: "" });
  if (client.shape === "message" && stdout.trim() === "") return refuse("");
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return refuse(stdout.trim() === "" ? "it printed nothing" : "its output is not JSON");
  }
  if (!isRecord(value)) return refuse("its output is not an object");
  const known = { nested: ["hookSpecificOutput", "systemMessage"], flat: ["additionalContext"], message: ["message"] };
  const odd = Object.keys(value).find((key) => !known[client.shape].includes(key));
  if (odd !== undefined) return refuse(`it printed a key that ${client.title} does not know: ${odd}`);
  const inner = client.shape === "nested" ? value["hookSpecificOutput"] : value;
  if (!isRecord(inner)) return refuse("hookSpecificOutput is missing");
  if (client.shape === "nested" && inner["hookEventName"] !== client.event)
    return refuse(`hookEventName is not ${client.event}`);
  const message = value["systemMessage"];
  if (typeof message === "string" && message.includes(FAULTS.E_ORCHESTRATOR.limit)) return refuse(message);
  // A "message" client passes any text on to its model: without evidence it gets no output at all, so `message` is
  // required here.
  const context = client.shape === "message" ? inner["message"] : (inner["additionalContext"] ?? "");
  if (typeof context !== "string") return refuse("the context is not a text");
  const size = measureFor(client.name, context);
  return size > client.max ? refuse(`the context is longer than ${client.max}`) : { why: "", context };
}
