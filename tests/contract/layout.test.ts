import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { ToolDeclaration } from "../../src/contract/tool.ts";
import { makeFileEngine } from "../../src/engine/engine.ts";
import type { CodexToolDeps } from "../../src/jobs/tools/codex-calls.ts";
import { makeCodexTools } from "../../src/jobs/tools/codex-tools.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import { projectRoot, readProjectFile } from "../support/doors.ts";

/** The table of docs/architecture.md: each folder of `src/`, in order, with the cell that says what it may import. */
const TABLE = Array.from(
  readProjectFile("docs/architecture.md").matchAll(/^\| `([\w-]+)\/` +\|.*\| ([^|]*)\|$/gm),
  ([, folder = "", mayImport = ""]) => ({ folder, mayImport }),
);

/** Returns the folders that a folder may import, besides itself; `contract/` is open to every folder. */
function allowedFor(folder: string): readonly string[] {
  const at = TABLE.findIndex((row) => row.folder === folder);
  const below = TABLE.slice(at + 1).map((row) => row.folder);
  const cell = TABLE[at]?.mayImport ?? "";
  return cell.includes("everything below")
    ? below
    : ["contract", ...Array.from(cell.matchAll(/`([\w-]+)`/g), ([, name = ""]) => name)];
}

const files = readdirSync(join(projectRoot, "src"), { recursive: true, encoding: "utf8" }).filter((path) =>
  /\.tsx?$/.test(path),
);
const sources = files.filter((path) => !/\.test(?:-helper)?\.ts$/.test(path));
const textOf = (path: string) => readFileSync(join(projectRoot, "src", path), "utf8");

function importsOf(path: string): string[] {
  return Array.from(textOf(path).matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g), (match) => match[1] ?? "");
}

/** Returns lines that break a rule, as `path: line`. */
function breaking(pattern: RegExp, isAllowed: (path: string) => boolean): string[] {
  return sources
    .filter((path) => !isAllowed(path))
    .flatMap((path) =>
      textOf(path)
        .split("\n")
        .filter((line) => pattern.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
}

describe("the layout of the source", () => {
  it("[ATO-SCOPE-5] the table of the architecture has every folder, and only points down", () => {
    const folders = TABLE.map(({ folder }) => folder);
    expect(folders.toSorted()).toEqual([...new Set(sources.map((path) => path.split("/")[0] ?? ""))].toSorted());
    const up = folders.flatMap((folder, at) =>
      allowedFor(folder)
        .filter((target) => !folders.slice(at + 1).includes(target) && folder !== "contract")
        .map((target) => `${folder} → ${target}`),
    );
    expect(up).toEqual([]);
  });

  it("[ATO-SCOPE-5] imports only go down, by full relative path", () => {
    const wrong = sources.flatMap((path) => {
      const from = path.split("/")[0] ?? "";
      return importsOf(path)
        .filter((target) => target.startsWith("."))
        .map((target) => relative(join(projectRoot, "src"), resolve(projectRoot, "src", dirname(path), target)))
        .filter((target) => !target.startsWith(".."))
        .filter(
          (target) =>
            !/\.tsx?$/.test(target) ||
            !(target.split("/")[0] === from || allowedFor(from).includes(target.split("/")[0] ?? "")),
        )
        .map((target) => `${path} → ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it("[ATO-CHAIN-5] adapters and the orchestrator import neither tools nor the engine", () => {
    const wrong = sources.filter(
      (path) =>
        /^(?:adapters|orchestrator)\//.test(path) &&
        importsOf(path).some((target) => /(?<!jobs)\/(?:tools|engine)\//.test(target)),
    );
    expect(wrong).toEqual([]);
  });

  it("contract/ imports zod and no other package", () => {
    const outside = sources.filter((path) => path.startsWith("contract/")).flatMap(importsOf);
    expect(new Set(outside.filter((target) => !target.startsWith(".")))).toEqual(new Set(["zod/mini"]));
  });

  it("[ATO-CHAIN-6] one file runs tools", () => {
    // These folders do not know tools; what they run are statements, jobs and builds.
    const knowsNone = (path: string) => /^(?:engine|run-history)\//.test(path);
    expect(breaking(/\.run\(/, (path) => path === "lifecycle/tool-executor.ts" || knowsNone(path))).toEqual([]);
    expect(textOf("lifecycle/tool-executor.ts").match(/\.run\(/g)).toHaveLength(1);
  });

  it("one file starts programs", () => {
    expect(breaking(/node:child_process/, (path) => path === "base/subprocess/spawn.ts")).toEqual([]);
  });

  it("one file has the timers, one the signals that end a process, one decides which programs may start", () => {
    expect(breaking(/\bsetTimeout\(|node:timers/, (path) => path === "base/timers.ts")).toEqual([]);
    expect(breaking(/process\.on(?:ce)?\("SIG|\["SIG|"SIGINT"|"SIGHUP"/, (path) => path === "base/signals.ts")).toEqual(
      [],
    );
    expect(breaking(/\baccessSync\(.*, constants\.X_OK\)/, (path) => path === "base/find-program.ts")).toEqual([]);
  });

  it("one file assembles what calls need", () => {
    expect(breaking(/\bmakeRouter\(/, (path) => /^lifecycle\/(?:lifecycle-deps|tool-router)\.ts$/.test(path))).toEqual(
      [],
    );
    expect(
      breaking(/\bmakeExcluder\(/, (path) => /^(?:lifecycle\/lifecycle-deps|base\/exclusions)\.ts$/.test(path)),
    ).toEqual([]);
  });

  it("only entry/ touches process.exit, process.argv and process.env", () => {
    expect(breaking(/process\.(?:exit|argv|env)\b/, (path) => path.startsWith("entry/"))).toEqual([]);
  });

  it("engine/ and contract/ read neither the environment nor the clock nor the network", () => {
    const pattern = /process\.env|Date\.now|new Date|performance\.now|node:https?|node:net|fetch\(/;
    expect(breaking(pattern, (path) => !/^(?:engine|contract)\//.test(path))).toEqual([]);
  });

  it("[ATO-SEC-1] two files open connections: to this machine, over HTTPS to addresses of the user, and to the user's MCP servers", () => {
    const pattern = /node:(?:https?|net|tls|dgram|dns|http2)"|\bfetch\(/;
    const openers = ["base/send-request.ts", "tools/external/mcp-client.ts"];
    // These two only use a socket in one of the user's folders.
    const residents = ["entry/resident.ts", "adapters/resident/client.ts"];
    // The page only listens; its code in the browser calls the address that it was loaded from.
    const isPage = (path: string) => /^web\/[\w-]+\.ts$/.test(path) || path === "web/page/api.ts";
    // A team's server listens; it only connects to its database, with `pg`.
    const isServer = (path: string) => path.startsWith("server/");
    expect(
      breaking(pattern, (path) => [...openers, ...residents].includes(path) || isPage(path) || isServer(path)),
    ).toEqual([]);
    expect(breaking(/\b(?:host|hostname|port)\b/, (path) => !residents.includes(path))).toEqual([]);
    expect(
      breaking(/\bfetch\((?!`\/api\/)|\brequest\(|\bconnect\(["{]/, (path) => !/^(?:web|server)\//.test(path)),
    ).toEqual([]);
  });

  it("[K 4] only the page, for this machine, and a team's server listen on a port; the page inserts no markup", () => {
    const listeners = ["entry/resident.ts", "web/server.ts", "server/http.ts"];
    expect(breaking(/\.listen\(/, (path) => listeners.includes(path))).toEqual([]);
    expect(textOf("web/server.ts").match(/\.listen\([^)]*/g)).toEqual([".listen(port, HOST, ("]);
    expect(textOf("web/server.ts")).toContain('const HOST = "127.0.0.1";');
    const markup = /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\.write|\beval\(|new Function/;
    expect(breaking(markup, (path) => !path.startsWith("web/"))).toEqual([]);
  });

  it("[K 4] only the page's own door loads the page's server", () => {
    expect(breaking(/\/web\//, (path) => /^(?:entry\/ui-[\w-]+\.ts|web\/)/.test(path))).toEqual([]);
    expect(breaking(/ui-command\.ts/, () => false)).toEqual([
      expect.stringMatching(/^entry\/command-line\.ts: .*await import\("\.\/ui-command\.ts"\)/),
    ]);
  });

  it("the MCP client is loaded only if a server is needed", () => {
    const importing = sources.filter((path) =>
      importsOf(path).some((target) => target === "@modelcontextprotocol/client"),
    );
    expect(importing).toEqual(["tools/external/mcp-client.ts"]);
    expect(breaking(/from "\.\/mcp-client\.ts"/, () => false).filter((line) => !/import type/.test(line))).toEqual([]);
  });

  it("names of tools appear only in the tools' own files", () => {
    const quoted = (tools: readonly ToolDeclaration[]) =>
      new RegExp(`"(?:${tools.map(({ name }) => name.replace(".", "\\.")).join("|")})"`);
    const registry = makeRegistry(makeFileEngine(systemClock));
    expect(breaking(quoted(registry), (path) => path.startsWith("tools/"))).toEqual([]);
    // Declaring tools needs none of the dependencies for running them.
    const ofCodex = makeCodexTools({} as CodexToolDeps);
    expect(breaking(quoted(ofCodex), (path) => path === "jobs/tools/codex-tools.ts")).toEqual([]);
  });

  it("texts of faults and limits shared by several folders are in contract/, all others in their own folder", () => {
    const literals =
      /tier-2 disabled|orchestrator unavailable|output invalid; fallback|degraded to plan-only|skipped \(|filtered potential|results truncated/;
    expect(breaking(literals, (path) => path.startsWith("contract/"))).toEqual([]);
    // Texts of one folder do not belong in the files that all folders share.
    expect(sources.filter((path) => /^contract\/.*texts\.ts$/.test(path))).toEqual([]);
  });

  it("files have at most 500 lines, shell doors at most 40", () => {
    expect(sources.filter((path) => textOf(path).split("\n").length > 500)).toEqual([]);
    const doors = ["hooks", "hooks/lib", "bin"].flatMap((folder) =>
      readdirSync(join(projectRoot, folder)).map((name) => join(folder, name)),
    );
    const long = [...doors, "mcp/server.sh", "install.sh", "job.sh", "start.sh"].filter(
      (path) =>
        !/\.(?:json|pl|js)$/.test(path) &&
        statSync(join(projectRoot, path)).isFile() &&
        readFileSync(join(projectRoot, path), "utf8").trimEnd().split("\n").length > 40,
    );
    expect(long).toEqual([]);
  });

  it("doors find the project with the same three lines, and node and their program through hooks/lib/", () => {
    const doors = ["bin", "hooks", "mcp", "."].flatMap((folder) =>
      readdirSync(join(projectRoot, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile() && (folder === "bin" || entry.name.endsWith(".sh")))
        .map(({ name }) => ({ path: join(folder, name), up: folder === "." ? "" : "/.." })),
    );
    expect(doors.length).toBeGreaterThan(9);
    for (const { path, up } of doors) {
      const text = readFileSync(join(projectRoot, path), "utf8");
      const lines = text.split("\n").filter((line) => !line.startsWith("#"));
      expect([path, ...lines.slice(0, 3)]).toEqual([
        path,
        "case $0 in */*) self=$0 ;; *) self=./$0 ;; esac",
        // Not `readlink -f`, which is missing on older Apple systems.
        `while [ -L "$self" ]; do link=$(PATH=/usr/bin:/bin:$PATH; readlink "$self"); case $link in /*) self=$link ;; *) self=\${self%/*}/$link ;; esac; done`,
        `project=\${self%/*}${up}`,
      ]);
      expect([path, text.match(/exec "\$node" .*dist\//)]).toEqual([path, null]);
    }
  });

  it("[HOOK-11] every export has a doc comment", () => {
    const bare = sources.flatMap((path) => {
      const lines = textOf(path).split("\n");
      return lines.flatMap((line, at) =>
        /^export (?!\{)/.test(line) && !/\*\/\s*$/.test(lines[at - 1] ?? "") ? [`${path}: ${line}`] : [],
      );
    });
    expect(bare).toEqual([]);
  });
});
