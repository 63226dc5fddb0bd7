import { PROGRAMS } from "./scripts/bundles.mjs";

export default {
  entry: [
    ...Object.values(PROGRAMS),
    "scripts/generated.ts",
    "src/web/page/main.tsx",
    // Read by scripts/grammars.mjs through a bundle.
    "src/engine/parse/grammars.ts",
    "scripts/*.{mjs,cjs}",
    "mcp/codex-mcp-server/build.mjs",
    "bench/**/*.mjs",
    "training/*.mjs",
    "{src,tests}/**/*.test.ts",
  ],
  project: ["{src,tests,scripts,bench,training}/**/*.{ts,tsx,mjs,cjs}", "!tests/fixtures/**"],
  ignoreDependencies: [
    "bats",
    "pyright",
    "@repomix/tree-sitter-wasms",
    "@tree-sitter-grammars/.*",
    "@vscode/tree-sitter-wasm",
    "tree-sitter-.*",
  ],
  ignoreBinaries: ["ctags", "fish", "mkfifo", "nginx", "openssl", "script", "shellcheck", "strace", "unshare"],
};
