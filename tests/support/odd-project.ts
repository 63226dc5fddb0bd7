import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./doors.ts";
import { makeFolder } from "./temp-folder.ts";

/** Every shell door of the project, relative to it. */
export const DOORS: readonly string[] = ["bin", "hooks", "mcp", "."]
  .flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && (folder === "bin" || entry.name.endsWith(".sh")))
      .map(({ name }) => join(folder, name)),
  )
  .sort();

/** A copy of the built project at an awkward path. */
interface OddProject {
  readonly root: string;
  /** Folder with links to the doors through other links, one of them relative. */
  readonly links: string;
}

/** Copies the files that doors need. Contract: removed with the test's other folders. */
export function makeOddProject(): OddProject {
  const place = join(makeFolder(), "ein Ort ‘mit’ 目录");
  const [root, links] = [join(place, "项目 $HOME"), join(place, "links")];
  for (const folder of [root, join(links, "far")]) mkdirSync(folder, { recursive: true });
  for (const name of ["bin", "hooks", "config", "dist", "mcp", "package.json"])
    cpSync(join(projectRoot, name), join(root, name), { recursive: true });
  for (const name of ["install.sh", "start.sh", "job.sh"]) cpSync(join(projectRoot, name), join(root, name));
  for (const door of DOORS) {
    const name = door.replaceAll("/", " ");
    symlinkSync(join(root, door), join(links, "far", name));
    symlinkSync(join("far", name), join(links, name));
  }
  return { root, links };
}
