import { byKeyword } from "../access.ts";
import { importAll, quoted, readPaths } from "../imports.ts";
import type { Import, Language } from "../language.ts";

function readImport(statement: string): readonly Import[] {
  const used = /^\s*use\s+(?:function\s+|const\s+)?(.*?);?\s*$/s.exec(statement)?.[1];
  if (used !== undefined) return readPaths(used.includes("{") ? used : `{${used}}`, "\\", /\s+as\s+/);
  return importAll(quoted(statement));
}

/** Rules for PHP. */
export const php: Language = {
  id: "php",
  access: byKeyword(() => "public"),
  readImport,
  rules: `
    (namespace_definition name: (_) @name body: (_)) @def.module
    (class_declaration name: (_) @name) @def.class
    (interface_declaration name: (_) @name) @def.interface
    (trait_declaration name: (_) @name) @def.trait
    (enum_declaration name: (_) @name) @def.enum
    (enum_case name: (_) @name) @def.constant
    (function_definition name: (_) @name) @def.function
    (method_declaration name: (_) @name) @def.method
    (assignment_expression left: (variable_name) @name right: [(anonymous_function) (arrow_function)] @own) @def.function
    (const_element . (name) @name) @def.constant
    (property_declaration (property_element name: (_) @name)) @def.property
    (property_promotion_parameter name: (_) @name) @def.property

    (function_call_expression function: [(name) (qualified_name) (variable_name)] @call)
    (member_call_expression object: (_) @receiver name: (name) @call)
    (nullsafe_member_call_expression object: (_) @receiver name: (name) @call)
    (scoped_call_expression scope: (_) @receiver name: (name) @call)
    (object_creation_expression [(name) (qualified_name)] @new)
    (attribute [(name) (qualified_name)] @decorator)

    (namespace_use_declaration) @import
    [(require_expression) (require_once_expression) (include_expression) (include_once_expression)] @import
    (base_clause [(name) (qualified_name)] @base)
    (class_interface_clause [(name) (qualified_name)] @base)
    (use_declaration [(name) (qualified_name)] @base)

    (else_clause body: (if_statement) @chained)
    (else_clause) @else
    (else_if_clause) @elseif
    [(if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement) (catch_clause)
      (conditional_expression)] @branch
    [(switch_statement) (match_expression)] @switch
    [(case_statement) (match_conditional_expression)] @case
    (binary_expression operator: ["&&" "and"]) @and
    (binary_expression operator: ["||" "or" "??"]) @or
    [(break_statement (integer)) (continue_statement (integer)) (goto_statement)] @jump
    [(arrow_function) (anonymous_function)] @nest

    (simple_parameter type: (_) @written name: (variable_name) @typed)
    (simple_parameter name: (variable_name) @typed)
    (property_promotion_parameter type: (_) @written name: (variable_name) @typed)
    (property_declaration type: (_) @written (property_element name: (_) @typed))
    (assignment_expression left: (variable_name) @typed right: (_) @value)
    (assignment_expression left: (member_access_expression object: (variable_name) @_t name: (name) @field) right: (_) @value (#eq? @_t "$this"))
    (foreach_statement . (_) @value . (variable_name) @each)
    (catch_clause type: (_) @written name: (variable_name) @typed)
    (method_declaration name: (_) @typed return_type: (_) @written)
    (function_definition name: (_) @typed return_type: (_) @written)
    (namespace_definition name: (_) @package)
  `,
};
