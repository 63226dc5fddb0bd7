import type { Command, CommandOption, Completes } from "../commands/command.ts";
import { type CompletionPlace, completionOf, listCommandPlaces, quote, spellingsOf } from "./places.ts";

/** Generates a completion script for zsh, based on its own completion functions. */
export function zshCompletions(commands: readonly Command[]): string {
  const places = listCommandPlaces(commands);
  const cases = places.map(
    (place) => `    ${quote(place.path.join(" "))})
${toCase(place)} ;;`,
  );
  const parents = places.filter(({ path, commands: inner }) => path.length === 1 && inner.length > 0);
  return `#compdef groundwork groundwork-context
# Completions of groundwork for zsh. Made by "groundwork completions zsh".
_groundwork() {
  local place= at
  local -a named
  for ((at = 2; at < CURRENT && at < 4; at++)); do
    [[ $words[at] == -* ]] && break
    case $place in
      '') place=$words[at] ;;
      ${parents.map(({ path }) => quote(path.join(" "))).join("|")}) place="$place $words[at]" ;;
      *) break ;;
    esac
  done
  # What is left begins with the last command of the place.
  if [[ -n $place ]]; then
    local -a front=(\${=place})
    shift $#front words
    (( CURRENT -= $#front ))
  fi
  case $place in
${cases.join("\n")}
    *) _files ;;
  esac
}
if [[ $funcstack[1] == _groundwork ]]; then
  _groundwork "$@"
else
  compdef _groundwork groundwork groundwork-context
fi
`;
}

function toCase({ options, commands, words }: CompletionPlace): string {
  const specs = Object.entries(options).flatMap(([name, option]) =>
    spellingsOf(name, option).map((spelling) => quote(toSpec(spelling, option))),
  );
  if (commands.length === 0) {
    const action = words === undefined ? "'*: :'" : quote(`*: :${toAction(words)}`);
    return `      _arguments ${[...specs, action].join(" \\\n        ")}`;
  }
  const named = commands.map(({ name, summary }) => quote(`${name}:${summary}`));
  return `      named=(
        ${named.join("\n        ")}
      )
      _arguments ${[...specs, "'1: :{_describe command named}'"].join(" \\\n        ")}`;
}

/** Formats an option for `_arguments`: `--repo=[text]:DIR:_directories`. */
function toSpec(spelling: string, option: CommandOption): string {
  const doc = option.doc.replace(/[[\]]/g, "\\$&").replaceAll(":", "\\:");
  if (option.value === undefined) return `${spelling}[${doc}]`;
  const kind = completionOf(option);
  // A value follows "=" or a space; for a short option, a space or nothing.
  const joined = spelling.startsWith("--") ? `${spelling}=` : `${spelling}+`;
  const colon = option.isOptional === true ? "::" : ":";
  return `${joined}[${doc}]${colon}${option.value}:${kind === undefined ? "" : toAction(kind)}`;
}

function toAction(completes: Completes): string {
  if (completes === "file") return "_files";
  return completes === "folder" ? "_directories" : `(${completes.join(" ")})`;
}
