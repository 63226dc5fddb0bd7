import { join } from "node:path";
import { readFileState } from "../file-state.ts";

/** A line of a shell profile that switches everything off. */
interface ProfileLine {
  /** The profile, relative to the home folder. */
  readonly file: string;
  readonly line: number;
}

/** Files that shells read at startup, relative to the home folder. */
const PROFILES = [
  ".profile",
  ".bash_profile",
  ".bash_login",
  ".bashrc",
  ".zshenv",
  ".zprofile",
  ".zshrc",
  ".config/fish/config.fish",
];
const SWITCHES_OFF = [
  /(?:^|[;&\s])CI_AUTO_TOOLS=(["']?)off\1(?:[;&\s]|$)/,
  // fish
  /^\s*set\s+(?:-\S+\s+)*CI_AUTO_TOOLS\s+(["']?)off\1(?:[;\s]|$)/,
];

/** Finds `CI_AUTO_TOOLS=off` in the shell profiles of a home folder. Contract: never throws; never blocks. */
export function findSwitchesOff(home: string): ProfileLine[] {
  return PROFILES.flatMap((file) => {
    const state = readFileState(join(home, file));
    if (state.kind !== "file") return [];
    const lines = state.bytes.toString("utf8").split("\n");
    return lines.flatMap((text, at) => (isSwitchOff(text) ? [{ file, line: at + 1 }] : []));
  });
}

function isSwitchOff(text: string): boolean {
  const code = text.replace(/(?:^|\s)#.*$/, "");
  return SWITCHES_OFF.some((pattern) => pattern.test(code));
}
