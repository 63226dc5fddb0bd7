import { availableParallelism } from "node:os";
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders by how long their files take. A long file that begins last would be waited for by an idle processor. */
const SLOWEST_FIRST = ["tests/contract/generated.test.ts", "tests/robustness/", "tests/", "src/"];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const path = relative(import.meta.dirname, moduleId);
      return SLOWEST_FIRST.findIndex((start) => path.startsWith(start));
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    // Long: a test that hangs is found anyway, and a busy machine is no failure.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 200_000 } },
    // Most tests wait for processes, so every processor may have a worker; vitest leaves one out.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: SlowestFirst },
  },
});
