// `npm start -- "question" --repo DIR`: installs, builds, and answers the question about the repository.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { installAndBuild, prepare } from "./setup.mjs";

const project = resolve(import.meta.dirname, "..");
// npm runs scripts in the project's folder; a relative --repo refers to the folder in which npm was called.
const caller = process.env.INIT_CWD ?? process.cwd();
await prepare(installAndBuild);
const given = process.argv.slice(2);
const at = given.indexOf("--repo");
const repo = at >= 0 ? resolve(caller, given.splice(at, 2)[1] ?? ".") : project;
// The question about this project is in package.json: in this file it would find itself.
const builtIn = repo === project ? process.env.npm_package_config_question : "where does this program start?";
const asked = given.some((argument) => !argument.startsWith("--")) ? given : [builtIn, ...given];
const done = spawnSync(process.execPath, ["dist/cli.cjs", "try", "--repo", repo, ...asked], { stdio: "inherit" });
process.exit(done.status ?? 1);
