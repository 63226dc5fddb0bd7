/** Folders and files that are never read or listed, compared with whole path segments. */
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

/** Names of files that hold secrets: their content is never disclosed, inside the repository or not. */
const SENSITIVE_NAMES = [
  /^\.env(?:rc|[.-].+)?$|\.env$/,
  /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx)$/,
  /(?:private|secret|\bsec|priv)[\w.-]{0,40}\.asc$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)/,
  /^\.(?:npmrc|yarnrc\.yml|netrc|pypirc|pgpass|my\.cnf|mylogin\.cnf|htpasswd|git-credentials|vault-token|vault_pass|dockercfg|s3cfg|boto|terraformrc)$/,
  /^\.\w{1,30}_history$/,
  /^(?:ssh_host_.{1,60}_key|_netrc|credentials)$/,
  /^(?:credentials|client[-_]secrets?|service[-_]?account[\w.-]{0,60}|application_default_credentials)\.(?:json|ya?ml|toml|ini|xml|csv|properties)$/,
  /^secrets(?:[.-][\w-]{1,40})?\.(?:json|ya?ml|toml|ini|properties)$/,
  /\.tfstate(?:\.backup)?$/,
];

/** Files that are sensitive only in these locations. */
const SENSITIVE_PLACES = /(?:^|\/)(?:\.kube\/config|\.docker\/config\.json|\.config\/gh\/hosts\.yml)$/;
const SENSITIVE_FOLDERS = new Set([".ssh", "secrets", ".aws", ".gnupg"]);

/** Templates that are published on purpose and contain no real values. */
const HARMLESS_ENV =
  /^\.env(?:[.-][\w-]{1,30})?[.-](?:example|sample|template|dist)$|^(?:[\w-]{1,30}[.-])?(?:example|sample|template|dist)\.env$/;

/** Parts of a name that readers and some file systems ignore: invisible characters, the name of an NTFS stream. */
const UNSEEN = /\p{Cf}|\p{Variation_Selector}|::\$data(?=\/|$)/giu;
/** Trailing dots and spaces, which some file systems drop, and the `~` that editors append to backup copies. */
const TAIL = /(?<=[^./])[. ~]{1,250}(?=\/|$)/g;

/** Fast path: most names contain none of the above, and every file of a repository is checked. */
const PLAIN = /^(?:[\w@+,()[\]{}=-]|\.(?!\/|$)|\/)*$/;

/** Segments of a path as the most lenient file system would read them: with case and character width folded. */
function segmentsOf(path: string): string[] {
  const plain = PLAIN.test(path) ? path : path.normalize("NFKC").replace(UNSEEN, "").replace(TAIL, "");
  return plain.toLowerCase().split("/");
}

/** True for a repository-relative path that is vendored, generated or a lock file. */
export function isExcludedPath(path: string): boolean {
  const segments = segmentsOf(path);
  return segments.some((segment) => EXCLUDED_SEGMENTS.has(segment)) || segments.at(-1)?.endsWith(".lock") === true;
}

/** True for a path whose content may hold secrets. */
export function isSensitivePath(path: string): boolean {
  const segments = segmentsOf(path);
  const name = segments.pop() ?? "";
  if (segments.some((segment) => SENSITIVE_FOLDERS.has(segment)) || SENSITIVE_FOLDERS.has(name)) return true;
  if (SENSITIVE_PLACES.test([...segments.slice(-2), name].join("/"))) return true;
  return SENSITIVE_NAMES.some((rule) => rule.test(name)) && !HARMLESS_ENV.test(name);
}
