import { byKeyword } from "../access.ts";
import { readPaths } from "../imports.ts";
import type { Language } from "../language.ts";

/** Rules for Java. */
export const java: Language = {
  id: "java",
  access: byKeyword(({ parentKind, kind }) =>
    parentKind === "interface" || (parentKind === "enum" && kind === "constant") ? "public" : "package",
  ),
  readImport: (statement) => readPaths(statement.replace(/^\s*import\s+(?:static\s+)?/, "").replace(/;\s*$/, "")),
  rules: `
    (class_declaration name: (_) @name) @def.class
    (record_declaration name: (_) @name) @def.class
    (interface_declaration name: (_) @name) @def.interface
    (annotation_type_declaration name: (_) @name) @def.interface
    (enum_declaration name: (_) @name) @def.enum
    (enum_constant name: (_) @name) @def.constant
    (method_declaration name: (_) @name) @def.method
    (constructor_declaration name: (_) @name) @def.method
    (compact_constructor_declaration name: (_) @name) @def.method
    (annotation_type_element_declaration name: (_) @name) @def.method
    (field_declaration declarator: (variable_declarator name: (_) @name)) @def.variable
    (constant_declaration declarator: (variable_declarator name: (_) @name)) @def.constant
    (record_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @def.property))

    (method_invocation !object name: (_) @call)
    (method_invocation object: (_) @receiver name: (_) @call)
    (explicit_constructor_invocation constructor: (_) @call)
    (object_creation_expression type: [(type_identifier) (scoped_type_identifier)] @new)
    (object_creation_expression type: (generic_type . (_) @new))
    (method_reference . (_) @receiver (identifier) @call .)
    (marker_annotation name: (_) @decorator)
    (annotation name: (_) @decorator)

    (import_declaration) @import
    (superclass [(type_identifier) (scoped_type_identifier)] @base)
    (superclass (generic_type . (_) @base))
    (super_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @base))
    (super_interfaces (type_list (generic_type . (_) @base)))
    (extends_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @base))
    (extends_interfaces (type_list (generic_type . (_) @base)))

    (if_statement alternative: (if_statement) @elseif)
    (if_statement alternative: (_) @else)
    [(if_statement) (for_statement) (enhanced_for_statement) (while_statement) (do_statement) (catch_clause)
      (ternary_expression)] @branch
    (switch_expression) @switch
    (switch_label "case") @case
    (binary_expression operator: "&&") @and
    (binary_expression operator: "||") @or
    [(break_statement (identifier)) (continue_statement (identifier))] @jump
    (lambda_expression) @nest

    (formal_parameter type: (_) @written name: (identifier) @typed)
    (spread_parameter (variable_declarator name: (identifier) @typed))
    (local_variable_declaration type: (_) @_v declarator: (variable_declarator name: (_) @typed value: (_) @value) (#eq? @_v "var"))
    (local_variable_declaration type: (_) @written declarator: (variable_declarator name: (_) @typed))
    (field_declaration type: (_) @written declarator: (variable_declarator name: (_) @typed))
    (constant_declaration type: (_) @written declarator: (variable_declarator name: (_) @typed))
    (enhanced_for_statement type: (_) @_v name: (_) @each value: (_) @value (#eq? @_v "var"))
    (enhanced_for_statement type: (_) @written name: (_) @typed)
    (resource type: (_) @written name: (_) @typed)
    (catch_formal_parameter name: (_) @typed)
    (instanceof_expression right: (_) @written name: (identifier) @typed)
    (inferred_parameters (identifier) @typed)
    (lambda_expression parameters: (identifier) @typed)
    (method_declaration type: (_) @written name: (_) @typed)
    (package_declaration [(scoped_identifier) (identifier)] @package)
  `,
};
