import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "./doors.ts";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

const run = promisify(execFile);

/** Output of `npm pack`. */
export interface Packed {
  /** Path of the package file. */
  readonly file: string;
  readonly unpackedSize: number;
  readonly paths: readonly string[];
}

/** Packs the existing build, as `npm pack` does after building. */
export async function packProject(folder: string): Promise<Packed> {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", args, { cwd: projectRoot, maxBuffer: 16 * 1024 * 1024 });
  const [{ filename, unpackedSize, files }] = JSON.parse(stdout) as [
    { filename: string; unpackedSize: number; files: { path: string }[] },
  ];
  return { file: join(folder, filename), unpackedSize, paths: files.map(({ path }) => path) };
}

/** The only packages in the registry; requests for others fail. */
const OFFERED = ["@photostructure/sqlite", "node-addon-api", "node-gyp-build"];

/**
 * Starts a local registry that offers our run-time dependency and its dependencies, from `node_modules`, because no
 * test may depend on a network. Contract: `asked` lists requests for anything else.
 */
export async function startRegistry(folder: string): Promise<LoopbackServer & { readonly asked: string[] }> {
  const documents = new Map<string, (url: string) => object>();
  const files = new Map<string, Buffer>();
  for (const [at, name] of OFFERED.entries()) {
    const source = join(projectRoot, "node_modules", name);
    const file = join(folder, `${at}.tgz`);
    mkdirSync(folder, { recursive: true });
    // The top folder in a package file may have any name.
    await run("tar", ["-czf", file, "-C", dirname(source), source.slice(dirname(source).length + 1)]);
    const bytes = readFileSync(file);
    const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    files.set(`/${at}.tgz`, bytes);
    documents.set(`/${name}`, (url) => ({
      name,
      "dist-tags": { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist: { tarball: `${url}/${at}.tgz`, integrity } } },
    }));
  }
  const asked: string[] = [];
  const server = await startLoopbackServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    const document = documents.get(path)?.(`http://${request.headers.host}`);
    const body = document === undefined ? files.get(path) : JSON.stringify(document);
    if (body === undefined) asked.push(path);
    response.writeHead(body === undefined ? 404 : 200).end(body ?? "");
  });
  return Object.assign(server, { asked });
}

/** Runs npm with an empty home and cache. Returns its output. */
export async function runNpm(args: readonly string[], home: string, registry: string): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: home, npm_config_cache: join(home, "npm-cache") };
  const all = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--registry", registry, ...args];
  const { stdout } = await run("npm", all, { cwd: home, env });
  return stdout;
}
