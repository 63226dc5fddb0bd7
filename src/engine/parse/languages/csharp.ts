import { byKeyword } from "../access.ts";
import { EVERYTHING, readPaths } from "../imports.ts";
import type { Import, Language } from "../language.ts";

function readImport(statement: string): Import[] {
  const text = statement
    .replace(/^\s*(?:global\s+)?using\s+(?:static\s+|unsafe\s+)?/, "")
    .replace(/;\s*$/, "")
    .trim();
  const [alias, path] = text.split(/\s*=\s*/);
  if (path === undefined) return [{ source: text, names: EVERYTHING }];
  return readPaths(`${path} as ${alias}`);
}

/** Rules for C#. */
export const csharp: Language = {
  id: "csharp",
  access: byKeyword(({ parentKind }) => {
    if (parentKind === null || parentKind === "module") return "internal";
    return parentKind === "interface" || parentKind === "enum" ? "public" : "private";
  }),
  readImport,
  ignoredCalls: new Set(["nameof"]),
  rules: `
    (namespace_declaration name: (_) @name) @def.module
    (file_scoped_namespace_declaration name: (_) @name) @def.module
    (class_declaration name: (_) @name) @def.class
    (record_declaration name: (_) @name) @def.class
    (struct_declaration name: (_) @name) @def.struct
    (interface_declaration name: (_) @name) @def.interface
    (enum_declaration name: (_) @name) @def.enum
    (enum_member_declaration name: (_) @name) @def.constant
    (delegate_declaration name: (_) @name) @def.type
    (method_declaration name: (_) @name) @def.method
    (constructor_declaration name: (_) @name) @def.method
    (destructor_declaration name: (_) @name) @def.method
    (operator_declaration operator: _ @name) @def.method
    (local_function_statement name: (_) @name) @def.function
    (property_declaration name: (_) @name) @def.property
    (indexer_declaration "this" @name) @def.property
    (event_declaration name: (_) @name) @def.property
    (event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @def.property
    (field_declaration (modifier "const") (variable_declaration (variable_declarator name: (_) @name))) @def.constant
    (field_declaration (variable_declaration (variable_declarator name: (_) @name))) @def.variable
    (record_declaration (parameter_list (parameter name: (_) @name) @def.property))

    (invocation_expression function: (identifier) @call)
    (invocation_expression function: (generic_name . (identifier) @call))
    (invocation_expression function: (member_access_expression expression: _ @receiver name: (identifier) @call))
    (invocation_expression function: (member_access_expression expression: _ @receiver name: (generic_name . (identifier) @call)))
    (invocation_expression function: (conditional_access_expression condition: _ @receiver (member_binding_expression name: (identifier) @call)))
    (constructor_initializer ["base" "this"] @call)
    (object_creation_expression type: [(identifier) (qualified_name)] @new)
    (object_creation_expression type: (generic_name . (identifier) @new))
    (attribute name: (_) @decorator)

    (using_directive) @import
    (base_list [(identifier) (qualified_name)] @base)
    (base_list (generic_name . (identifier) @base))
    (base_list (primary_constructor_base_type . (_) @base))

    (if_statement alternative: (if_statement) @elseif)
    (if_statement alternative: (_) @else)
    [(if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement) (catch_clause)
      (conditional_expression)] @branch
    [(switch_statement) (switch_expression)] @switch
    (switch_section "case") @case
    (switch_expression_arm . (discard)) @nest
    (switch_expression_arm) @case
    (binary_expression operator: "&&") @and
    (binary_expression operator: ["||" "??"]) @or
    (goto_statement) @jump
    [(lambda_expression) (anonymous_method_expression)] @nest

    (parameter type: (_) @written name: (identifier) @typed)
    (variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @typed (_) @value))
    (variable_declaration type: (_) @written (variable_declarator name: (identifier) @typed))
    (property_declaration type: (_) @written name: (_) @typed)
    (method_declaration returns: (_) @written name: (_) @typed)
    (foreach_statement type: (implicit_type) left: (identifier) @each right: (_) @value)
    (foreach_statement type: (_) @written left: (identifier) @typed)
    (declaration_pattern type: (_) @written name: (identifier) @typed)
    (catch_declaration type: (_) @written name: (identifier) @typed)
    (namespace_declaration name: (_) @package)
    (file_scoped_namespace_declaration name: (_) @package)
  `,
};
