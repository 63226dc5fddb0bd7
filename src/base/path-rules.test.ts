import { describe, expect, it } from "vitest";
import { makeExcluder } from "./exclusions.ts";
import { isExcludedPath, isSensitivePath } from "./path-rules.ts";

describe("[G D.23] [ATO-PATH-5] what is never read", () => {
  it.each([
    ".env",
    "prod.env",
    "deploy/staging.env",
    ".envrc",
    ".env-prod",
    ".env.local",
    "credentials.json",
    "config/service-account.json",
    "service_account_prod.json",
    "secrets.yaml",
    "helm/secrets.prod.yaml",
    "keys/deploy.ppk",
    "keys/release-private.asc",
    ".vault-token",
    ".my.cnf",
    ".kube/config",
    "home/.kube/config",
    ".bash_history",
    ".zsh_history",
    "terraform.tfstate",
    "infra/terraform.tfstate.backup",
    ".yarnrc.yml",
    ".ENV",
    "Credentials.JSON",
  ])("%s", (path) => {
    expect(isSensitivePath(path)).toBe(true);
  });

  it.each([
    ".env.example",
    ".env.production.sample",
    ".env-template",
    "example.env",
    "docker.sample.env",
    "src/credentials.ts",
    "src/secrets.py",
    "src/env.ts",
    "types/vite-env.d.ts",
    "release.asc",
    "kube/config",
    "history.md",
    "main.tf",
    "src/service-account.ts",
    ".eslintrc.yml",
  ])("but %s is", (path) => {
    expect(isSensitivePath(path)).toBe(false);
  });
});

describe("[P-8] the rules ignore case, as some file systems do", () => {
  it.each([
    ".ENV",
    ".Env.Local",
    "ID_RSA",
    "Id_Ed25519.bak",
    "Keys/SERVER.PEM",
    ".SSH/config",
    ".Aws/Credentials",
    "SECRETS/a",
  ])("%s is not read", (path) => {
    expect(isSensitivePath(path)).toBe(true);
  });

  it.each(["Node_Modules/a/index.js", ".GIT/config", "DIST/a.js", "Yarn.LOCK"])("%s is excluded", (path) => {
    expect(isExcludedPath(path)).toBe(true);
  });

  it.each([
    ["private/", "Private/a.ts"],
    ["*.Secret", "a.SECRET"],
    ["docs/**/draft.md", "Docs/x/DRAFT.md"],
  ])("the user's pattern %s applies to %s", (pattern, path) => {
    expect(makeExcluder([pattern])(path)).toBe(true);
  });
});
