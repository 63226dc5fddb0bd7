import { toWordSet } from "../../word-set.ts";
import { visibleIf } from "../access.ts";
import { importAll } from "../imports.ts";
import type { Language } from "../language.ts";

/** Shell builtins, which no script defines. */
const BUILTINS = toWordSet(
  "[ [[ : . source echo printf read cd pwd exit return shift set unset export local declare typeset readonly eval exec builtin command true false test let trap wait break continue getopts shopt type hash umask ulimit alias unalias pushd popd dirs mapfile readarray jobs bg fg disown kill times",
);

/** Bash and similar shells. */
export const bash: Language = {
  id: "bash",
  ignoredCalls: BUILTINS,
  access: ({ name }) => visibleIf(!name.startsWith("_")),
  readImport: (statement) =>
    importAll((/^(?:source|\.)\s+(.*)$/s.exec(statement)?.[1] ?? "").trim().replace(/^["']|["']$/g, "")),
  rules: `
    (function_definition name: (_) @name) @def.function
    (program (variable_assignment name: (variable_name) @name) @def.variable)
    (program (declaration_command (variable_assignment name: (variable_name) @name)) @def.variable)

    (command name: (command_name (word) @call))

    (command name: (command_name (word) @_s) (#any-of? @_s "source" ".")) @import

    (elif_clause) @elseif
    (else_clause) @else
    [(if_statement) (for_statement) (c_style_for_statement) (while_statement)] @branch
    (case_statement) @switch
    (case_item) @case
    [(list "&&") (binary_expression operator: "&&")] @and
    [(list "||") (binary_expression operator: "||")] @or
    (subshell) @nest
  `,
};
