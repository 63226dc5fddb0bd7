import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { QUIET } from "../support/doors.ts";
import { writeFiles } from "../support/temp-folder.ts";

/** The file that contains the answer to PROMPT. */
export const DECISIVE_FILE = "src/tax/lookup.ts";

/** A question about the scratch repository. The quotes and the dollar would not survive a careless shell. */
export const PROMPT = `checkout fails with "TypeError: Cannot read properties of undefined (reading 'rate')":
why does rateFor() give nothing for $REGION?`;

const SOURCES: Record<string, string> = {
  "package.json": `{ "name": "shop", "private": true, "type": "module" }\n`,
  [DECISIVE_FILE]: `export interface TaxRate {
  rate: number;
}

const TABLE = new Map<string, TaxRate>([
  ["north", { rate: 0.19 }],
  ["south", { rate: 0.07 }],
]);

/** The tax rate of a region; undefined for an unknown one. */
export function rateFor(region: string): TaxRate | undefined {
  return TABLE.get(region);
}
`,
  "src/checkout/total.ts": `import { rateFor } from "../tax/lookup.ts";

/** The price with the region's tax. */
export function computeTotal(net: number, region: string): number {
  return net * (1 + rateFor(region)!.rate);
}
`,
};

/** A home and a committed git repository that belong to one test. */
export interface Scratch extends AsyncDisposable {
  /** The user's home, empty. */
  home: string;
  /** An empty folder that is first on the PATH. */
  bin: string;
  /** The repository's top folder. */
  repo: string;
  /** A complete environment without the developer's accounts, settings or proxies. */
  env: Record<string, string>;
}

/** Makes a scratch home and repository. Contract: disposing it removes both. */
export async function makeScratch(): Promise<Scratch> {
  // The clients use real paths of folders, and the temporary folder is a link on some systems.
  const root = await realpath(await mkdtemp(join(tmpdir(), "groundwork-e2e-")));
  const folder = (name: string) => join(root, name);
  const [home, bin, repo, temporary] = [folder("home"), folder("bin"), folder("repo"), folder("tmp")];
  for (const path of [home, bin, repo, temporary]) await mkdir(path);
  const path = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { HOME: home, PATH: path, TMPDIR: temporary, ...QUIET };
  writeFiles(repo, SOURCES);
  const git = (...args: string[]) => promisify(execFile)("git", args, { cwd: repo, env });
  await git("init", "--quiet");
  await git("add", ".");
  await git("-c", "user.name=e2e", "-c", "user.email=e2e@localhost", "commit", "--quiet", "--message", "shop");
  return {
    home,
    bin,
    repo,
    env,
    // A client may still be writing its history when it is killed, so the removal is retried.
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  };
}
