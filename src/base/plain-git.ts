/** What git gets to see of a repository: its objects, but nothing that configures how git runs. */
interface PlainGitPlace {
  /** Git directory used instead of the repository's own; its configuration names no program. */
  readonly folder: string;
  readonly objects: string;
  /** File that lists the commits at which a shallow clone ends; null for a full clone. */
  readonly shallow: string | null;
}

/**
 * Complete environment for a git process that runs no program named by the repository. Nothing is inherited, because
 * GIT_* variables can name directories and programs too. Contract: pure.
 */
export function plainGitEnv({ folder, objects, shallow }: PlainGitPlace): Readonly<Record<string, string>> {
  return {
    PATH: "/usr/bin:/bin",
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    LC_ALL: "C",
    GIT_DIR: folder,
    GIT_OBJECT_DIRECTORY: objects,
    ...(shallow === null ? {} : { GIT_SHALLOW_FILE: shallow }),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_GRAFT_FILE: "/dev/null",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    GIT_ALLOW_PROTOCOL: "none",
  };
}
