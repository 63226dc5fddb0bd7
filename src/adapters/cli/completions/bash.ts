import type { Command, Completes } from "../commands/command.ts";
import { completionOf, listCommandPlaces, quote, spellingsOf } from "./places.ts";

/** Generates a completion script for bash 3.2 or newer. Contract: the script starts no program. */
export function bashCompletions(commands: readonly Command[]): string {
  const places = listCommandPlaces(commands);
  const parents = places.filter(({ path, commands: inner }) => path.length === 1 && inner.length > 0);
  const values = places.flatMap(({ path, options }) =>
    Object.entries(options).flatMap(([name, option]) => {
      if (option.value === undefined) return [];
      const marks = spellingsOf(name, option).map((spelling) => quote(`${path.join(" ")},${spelling}`));
      const kind = completionOf(option);
      // Free text has no completions, rather than file names.
      return [`    ${marks.join("|")}) ${kind === undefined ? "kind=none" : toKind(kind)} ;;`];
    }),
  );
  const words = places.map(({ path, options, commands: inner, words: own }) => {
    const flags = Object.entries(options).flatMap(([name, option]) => spellingsOf(name, option));
    const names = inner.map(({ name }) => name);
    const kind = own === undefined ? "" : `; ${toKind(own)}`;
    const known = names.length === 0 ? kind : `; kind=words list=${quote(names.join(" "))}`;
    return `    ${quote(path.join(" "))}) flags=${quote(flags.join(" "))}${known} ;;`;
  });
  return `# Completions of groundwork for bash. Made by "groundwork completions bash".
_groundwork() {
  local current previous place kind= list= flags= line at
  current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  # bash takes "--name=value" for three words.
  if [[ $current == = ]]; then current=
  elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=() place=
  for ((at = 1; at < COMP_CWORD && at < 3; at++)); do
    [[ \${COMP_WORDS[at]} == -* ]] && break
    case "$place" in
      '') place=\${COMP_WORDS[at]} ;;
      ${parents.map(({ path }) => quote(path.join(" "))).join("|")}) place="$place \${COMP_WORDS[at]}" ;;
      *) break ;;
    esac
  done
  case "$place,$previous" in
${values.join("\n")}
  esac
  if [[ -z $kind ]]; then
    case "$place" in
${words.join("\n")}
    esac
    [[ $current == -* ]] && kind=words list=$flags
  fi
  case $kind in
    words) ;;
    folder) compopt -o filenames 2>/dev/null ;;
    file) compopt -o filenames 2>/dev/null ;;
    *) return ;;
  esac
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
    case $kind in
      words) compgen -W "$list" -- "$current" ;;
      folder) compgen -d -- "$current" ;;
      file) compgen -f -- "$current" ;;
    esac
  )
}
complete -F _groundwork groundwork groundwork-context
`;
}

function toKind(completes: Completes): string {
  return typeof completes === "string" ? `kind=${completes}` : `kind=words list=${quote(completes.join(" "))}`;
}
