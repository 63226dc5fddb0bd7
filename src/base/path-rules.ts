/** Folders and files that are never read or listed, matched on whole path segments. */
const EXCLUDED_SEGMENTS = new Set([
  "node_modules",
  "dist",
  "build",
  ".git",
  "coverage",
  "__pycache__",
  ".venv",
  "venv",
  "__mocks__",
]);

/** Names that hold secrets: their content never leaves the file, inside the repository or not. */
const SENSITIVE_NAMES = [
  /^\.env(\..+)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /^\.(npmrc|netrc|pypirc|pgpass|htpasswd|git-credentials)$/,
  /^(ssh_host_.*_key|credentials)$/,
];

const SENSITIVE_FOLDERS = new Set([".ssh", "secrets", ".aws", ".gnupg"]);

/** Templates that are published on purpose and hold no values. */
const HARMLESS_ENV = /^\.env\.(example|sample|template|dist)$/;

/** Tests, examples and the like: wanted when asked for, ranked lower otherwise. */
const DEMOTED = /(^|\/)(tests?|__tests__|specs?)\/|_test\.|\.test\.|\.spec\.|example|mock|fixture/;

// Some file systems fold case, so rules always do.
const segmentsOf = (path: string) => path.toLowerCase().split("/");

/** True for a repository-relative path that is vendored, built or bookkeeping. */
export function isExcludedPath(path: string): boolean {
  const segments = segmentsOf(path);
  return segments.some((segment) => EXCLUDED_SEGMENTS.has(segment)) || segments.at(-1)?.endsWith(".lock") === true;
}

/** True for a path whose content may hold secrets. */
export function isSensitivePath(path: string): boolean {
  const segments = segmentsOf(path);
  const name = segments.pop() ?? "";
  if (segments.some((segment) => SENSITIVE_FOLDERS.has(segment)) || SENSITIVE_FOLDERS.has(name)) return true;
  return !HARMLESS_ENV.test(name) && SENSITIVE_NAMES.some((rule) => rule.test(name));
}

/** True for tests, examples, mocks and fixtures. */
export function isDemotedPath(path: string): boolean {
  return DEMOTED.test(path.toLowerCase());
}
