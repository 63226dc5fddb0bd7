import { visibleIf } from "../access.ts";
import { EVERYTHING, readNames, wholeSource } from "../imports.ts";
import type { Import, Language } from "../language.ts";

function readImport(statement: string): Import[] {
  const text = statement.replace(/#[^\n]*/g, "").replace(/[()\\]/g, " ");
  const from = /^\s*from\s+([.\w\s]+?)\s+import\s+(.*)$/s.exec(text);
  if (from) {
    const source = (from[1] ?? "").replace(/\s+/g, "");
    return [{ source, names: from[2]?.trim() === "*" ? EVERYTHING : readNames(from[2] ?? "", / as /) }];
  }
  return readNames(text.replace(/^\s*import\b/, ""), / as /).map(({ name, alias }) => ({
    source: name,
    names: wholeSource(alias),
  }));
}

/** Rules for Python. */
export const python: Language = {
  id: "python",
  docInBody: true,
  access: ({ name }) => visibleIf(!name.startsWith("_") || /^__\w+__$/.test(name)),
  readImport,
  rules: `
    (class_definition name: (identifier) @name) @def.class
    (function_definition name: (identifier) @name) @def.function
    (module (expression_statement (assignment left: (identifier) @name right: (lambda) @own) @def.function))
    (module (expression_statement (assignment left: (identifier) @name) @def.variable))
    (class_definition body: (block (expression_statement (assignment left: (identifier) @name) @def.variable)))
    (type_alias_statement left: (type (identifier) @name)) @def.type

    (decorator (identifier) @decorator)
    (decorator (call function: (identifier) @decorator))
    (decorator (attribute object: (_) @receiver attribute: (_) @decorator))
    (decorator (call function: (attribute object: (_) @receiver attribute: (_) @decorator)))
    (call function: (identifier) @call)
    (call function: (attribute object: (_) @receiver attribute: (_) @call))

    [(import_statement) (import_from_statement) (future_import_statement)] @import
    (class_definition superclasses: (argument_list [(identifier) (attribute)] @base))
    (class_definition superclasses: (argument_list (subscript value: (_) @base)))

    [(if_statement) (for_statement) (while_statement) (except_clause) (conditional_expression)] @branch
    (elif_clause) @elseif
    [(if_statement (else_clause) @else) (for_statement (else_clause) @else) (while_statement (else_clause) @else)]
    (match_statement) @switch
    [(case_clause) (for_in_clause) (if_clause)] @case
    (boolean_operator operator: "and") @and
    (boolean_operator operator: "or") @or
    (lambda) @nest

    (parameters (identifier) @typed (#match? @typed "^(?!(?:self|cls)$)"))
    (lambda_parameters (identifier) @typed)
    (typed_parameter . (identifier) @typed type: (type (_) @written))
    (typed_default_parameter name: (identifier) @typed type: (type (_) @written))
    (default_parameter name: (identifier) @typed value: (_) @value)
    (list_splat_pattern (identifier) @typed)
    (dictionary_splat_pattern (identifier) @typed)
    (assignment left: (identifier) @typed type: (type (_) @written))
    (assignment left: (identifier) @typed right: (_) @value)
    (assignment left: (pattern_list (identifier) @typed))
    (assignment left: (attribute object: (identifier) @_s attribute: (_) @field) type: (type (_) @written) (#any-of? @_s "self" "cls"))
    (assignment left: (attribute object: (identifier) @_s attribute: (_) @field) right: (_) @value (#any-of? @_s "self" "cls"))
    (named_expression name: (identifier) @typed value: (_) @value)
    (for_statement left: (identifier) @each right: (_) @value)
    (for_statement left: (pattern_list (identifier) @typed))
    (for_in_clause left: (identifier) @each right: (_) @value)
    (for_in_clause left: (pattern_list (identifier) @typed))
    (as_pattern (_) @value alias: (as_pattern_target (identifier) @typed))
    (function_definition name: (_) @typed return_type: (type (_) @written))
    (return_statement [(call) (identifier) (attribute) (await)] @returned)
  `,
};
