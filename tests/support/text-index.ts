import { linkFiles } from "../../src/engine/build/link-files.ts";
import { SegmentMaker } from "../../src/engine/build/segment-maker.ts";
import type { ImportLine } from "../../src/engine/search/imports.ts";
import { RepositoryIndex } from "../../src/engine/store/repository-index.ts";
import { readSegment } from "../../src/engine/store/segment.ts";

/** Makes an in-memory index of some texts, with the code that makes and reads indexes on disk. */
export function makeTextIndex(files: ReadonlyMap<string, string>): RepositoryIndex {
  const maker = new SegmentMaker();
  for (const [path, text] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
    maker.add({ path, content: Buffer.from(text, "utf8"), bytes: text.length, modifiedMs: 0 });
  }
  const segment = maker.finish();
  const imports = segment.catalogue.paths.map((path, slot) => [path, toImports(segment.imports[slot])] as const);
  return new RepositoryIndex([readSegment(segment)], linkFiles(new Map(imports)));
}

function toImports(packed = "[]"): ImportLine[] {
  return JSON.parse(packed) as ImportLine[];
}
