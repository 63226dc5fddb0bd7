// `npm run build` in this folder: builds the surrounding project unless it is already built.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { writeMcpFolder } from "../../scripts/mcp-folder.mjs";
import { installAndBuild, prepare } from "../../scripts/setup.mjs";

if (!existsSync(resolve(import.meta.dirname, "../../dist/codex-mcp.cjs"))) await prepare(installAndBuild);
writeMcpFolder();
