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

/**
 * Tests that need a process of their own: parsers of tree-sitter do not survive that the module which started them is loaded a
 * second time, and jobs have one folder of programs for a whole file.
 */
const ALONE = ["src/{engine,team,tools}/**/*.test.ts", "src/adapters/mcp/**/*.test.ts", "src/jobs/job/**/*.test.ts"];

export default defineConfig({
  test: {
    // Long: a test that hangs is found anyway, and a busy machine is no failure.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Shorter than a test, so that what was seen last is said.
    expect: { poll: { timeout: 200_000 } },
    // Most tests wait for processes, so there may be more workers than processors; vitest has one less.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ["tests/support/clean-up.ts"],
    sequence: { sequencer: SlowestFirst },
    projects: [
      { extends: true, test: { name: "alone", include: ["tests/**/*.test.ts", ...ALONE] } },
      // One process for many files: starting one for each costs more than most of these tests.
      { extends: true, test: { name: "shared", include: ["src/**/*.test.ts"], exclude: ALONE, isolate: false } },
    ],
  },
});
