/** Settings file of a repository, relative to its root. */
export const REPOSITORY_FILE = "config/auto-tools.yaml";
/** Settings file of the user, relative to the home folder. */
export const USER_FILE = ".groundwork/auto-tools.yaml";
