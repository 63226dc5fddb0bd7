import { byKeyword } from "../access.ts";
import { readPaths } from "../imports.ts";
import type { Language } from "../language.ts";

const RENAMES = /\s*=>\s*|\s+as\s+/;

/** Scala 2 and 3. */
export const scala: Language = {
  id: "scala",
  access: byKeyword(() => "public"),
  readImport: (statement) =>
    readPaths(statement.replace(/^\s*import\s+/, "").replace(/(?<=[.{,\s])_(?=\s*(?:[,}]|$))/g, "*"), ".", RENAMES),
  rules: `
    (class_definition name: (_) @name) @def.class
    (object_definition name: (_) @name) @def.class
    (package_object name: (_) @name) @def.module
    (trait_definition name: (_) @name) @def.trait
    (enum_definition name: (_) @name) @def.enum
    (simple_enum_case name: (_) @name) @def.constant
    (full_enum_case name: (_) @name) @def.constant
    (template_body [(function_definition name: (_) @name) (function_declaration name: (_) @name)] @def.method)
    (function_definition name: (_) @name) @def.function
    (function_declaration name: (_) @name) @def.function
    (val_definition pattern: (identifier) @name) @def.variable
    (var_definition pattern: (identifier) @name) @def.variable
    (val_declaration name: (_) @name) @def.variable
    (var_declaration name: (_) @name) @def.variable
    (given_definition name: (_) @name) @def.variable
    (type_definition name: (_) @name) @def.type
    (class_parameter ["val" "var"] name: (_) @name) @def.property
    (class_definition "case" class_parameters: (class_parameters (class_parameter name: (_) @name) @def.property))

    (call_expression function: (identifier) @call)
    (call_expression function: (field_expression value: (_) @receiver field: (_) @call))
    (call_expression function: (generic_function function: (identifier) @call))
    (call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (_) @call)))
    (infix_expression left: (_) @receiver operator: (identifier) @call)
    (instance_expression [(type_identifier) (stable_type_identifier)] @new)
    (instance_expression (generic_type type: (_) @new))
    (extends_clause type: [(type_identifier) (stable_type_identifier)] @new arguments: (_))
    (extends_clause type: (generic_type type: (_) @new) arguments: (_))
    (annotation name: (_) @decorator)

    (import_declaration) @import
    (extends_clause type: [(type_identifier) (stable_type_identifier)] @base)
    (extends_clause type: (generic_type type: (_) @base))
    (extends_clause type: (compound_type base: [(type_identifier) (stable_type_identifier)] @base))
    (extends_clause type: (compound_type extra: [(type_identifier) (stable_type_identifier)] @base))
    (extends_clause type: (compound_type base: (generic_type type: (_) @base)))
    (extends_clause type: (compound_type extra: (generic_type type: (_) @base)))

    (if_expression alternative: (if_expression) @elseif)
    (if_expression alternative: (_) @else)
    [(if_expression) (for_expression) (while_expression) (do_while_expression) (catch_clause)] @branch
    (match_expression) @switch
    [(case_clause) (guard)] @case
    (infix_expression operator: (operator_identifier) @_o (#eq? @_o "&&")) @and
    (infix_expression operator: (operator_identifier) @_o (#eq? @_o "||")) @or
    (lambda_expression) @nest

    (parameter name: (_) @typed type: (_) @written)
    (class_parameter name: (_) @typed type: (_) @written)
    (val_definition pattern: (identifier) @typed type: (_) @written)
    (val_definition pattern: (identifier) @typed value: (_) @value)
    (var_definition pattern: (identifier) @typed type: (_) @written)
    (var_definition pattern: (identifier) @typed value: (_) @value)
    (enumerator . (identifier) @each . (_) @value)
    (lambda_expression parameters: (identifier) @typed)
    (function_definition name: (_) @typed return_type: (_) @written)
    (function_declaration name: (_) @typed return_type: (_) @written)
    (function_definition name: (_) @typed body: [(call_expression) (instance_expression)] @value)
    (package_clause name: (_) @package)
  `,
};
