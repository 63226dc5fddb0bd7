import * as z from "zod/mini";
import { once } from "../../base/once.ts";
import { APPROVAL_POLICIES, SANDBOX_MODES } from "../../contract/codex-jobs.ts";

const flag = (about: string) => z.optional(z.boolean().check(z.describe(about)));
const word = (about: string) => z.optional(z.string().check(z.describe(about)));
const count = (about: string, least = 0) => z.optional(z.int().check(z.gte(least), z.describe(about)));

/** The folder that a call refers to; present in every tool, because a server serves more than one folder. */
const cwd = () => word("Folder that Codex works in; its jobs are kept in .codex-father/ below it");
const jobId = () =>
  z.string().check(z.regex(/^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,199}$/), z.describe("Id of the job or run"));

const runShape = () => ({
  args: z._default(z.array(z.string()).check(z.describe("Options of start.sh, such as --task TEXT")), []),
  tag: word("Becomes part of the id"),
  cwd: cwd(),
  sandbox: z.optional(z.enum(SANDBOX_MODES).check(z.describe("What Codex may touch; default: workspace-write"))),
  approvalPolicy: z.optional(z.enum(APPROVAL_POLICIES).check(z.describe("When Codex asks"))),
  network: flag("Network inside workspace-write"),
  fullAuto: flag("--full-auto"),
  dangerouslyBypass: flag("No sandbox and no questions; only where the machine itself is a sandbox"),
  profile: word("Profile of Codex's settings"),
  codexConfig: z.optional(
    z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .check(z.describe("Settings of Codex: key to value")),
  ),
  preset: word("sprint, analysis, secure or fast"),
  carryContext: flag("Whether an iteration hears of the one before; true"),
  compressContext: flag("Whether that is shortened; true"),
  contextHead: count("Lines of it"),
  patchMode: flag("Asks for a patch in the place of changes"),
  requireChangeIn: z.optional(z.array(z.string()).check(z.describe("Globs in which something must have changed"))),
  requireGitCommit: flag("A commit must have been made"),
  autoCommitOnDone: flag("Commits when done"),
  autoCommitMessage: word("What that commit says"),
});

/** Input of the tool that runs Codex. */
export const ExecInput = once(() => z.strictObject(runShape()));

/** Input of the tool that starts a job. */
export const StartInput = once(() =>
  z.strictObject({
    ...runShape(),
    maxParallel: count("Maximum number of jobs of this folder at once; the job waits for its turn", 1),
    priority: z.optional(z.int().check(z.describe("Waiting jobs with a higher number start first; default: 0"))),
  }),
);

/** Input of the tool that reports the state of a job. */
export const StatusInput = once(() => z.strictObject({ jobId: jobId(), cwd: cwd() }));

/** Input of the tool that reads a log. */
export const LogsInput = once(() =>
  z.strictObject({
    jobId: jobId(),
    mode: z._default(z.enum(["bytes", "lines"]), "bytes"),
    offset: count("First byte"),
    limit: count("Maximum number of bytes; default: 4096", 1),
    offsetLines: count("First line"),
    limitLines: count("Maximum number of lines; default: 200", 1),
    tailLines: count("The last lines instead"),
    grep: word("Pattern of the lines that are wanted"),
    cwd: cwd(),
  }),
);

/** Input of the tool that ends a job. */
export const StopInput = once(() =>
  z.strictObject({ jobId: jobId(), force: flag("At once instead of gently"), cwd: cwd() }),
);

/** Input of the tool that lists jobs. */
export const ListInput = once(() => z.strictObject({ cwd: cwd() }));
