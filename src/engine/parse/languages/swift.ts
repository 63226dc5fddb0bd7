import { byKeyword } from "../access.ts";
import { EVERYTHING, readPaths } from "../imports.ts";
import type { Import, Language } from "../language.ts";

function readImport(statement: string): Import[] {
  const text = statement.replace(/^.*?\bimport\s+/s, "").trim();
  const item = /^(?:class|struct|enum|protocol|func|var|let|typealias)\s+(.*)$/s.exec(text)?.[1];
  if (item !== undefined) return readPaths(item);
  return [{ source: text, names: EVERYTHING }];
}

/** Rules for Swift. */
export const swift: Language = {
  id: "swift",
  access: byKeyword(() => "internal"),
  readImport,
  rules: `
    (class_declaration "extension" name: (_) @owner) @type
    (class_declaration ["class" "actor"] name: (type_identifier) @name) @def.class
    (class_declaration "struct" name: (type_identifier) @name) @def.struct
    (class_declaration "enum" name: (type_identifier) @name) @def.enum
    (protocol_declaration name: (_) @name) @def.interface
    (enum_entry name: (simple_identifier) @name @def.constant)
    (function_declaration "func" . name: _ @name) @def.function
    (protocol_function_declaration "func" . name: _ @name) @def.method
    (init_declaration "init" @name) @def.method
    (deinit_declaration "deinit" @name) @def.method
    (subscript_declaration "subscript" @name) @def.method
    (property_declaration name: (pattern bound_identifier: (_) @name)) @def.variable
    (protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @def.property
    (typealias_declaration name: (type_identifier) @name) @def.type
    (associatedtype_declaration name: (_) @name) @def.type

    (call_expression . (simple_identifier) @call (call_suffix [(value_arguments . "(") (lambda_literal)]))
    (call_expression . (navigation_expression target: _ @receiver suffix: (navigation_suffix suffix: (_) @call))
      (call_suffix [(value_arguments . "(") (lambda_literal)]))
    (constructor_expression constructed_type: (user_type (type_identifier) @new))

    (import_declaration) @import
    (inheritance_specifier inherits_from: (user_type) @base)

    (if_statement (else) . (if_statement) @elseif)
    (if_statement (else) @else)
    [(if_statement) (guard_statement) (for_statement) (while_statement) (repeat_while_statement) (catch_block)
      (ternary_expression)] @branch
    (switch_statement) @switch
    (switch_entry "case") @case
    (conjunction_expression) @and
    [(disjunction_expression) (nil_coalescing_expression)] @or
    (lambda_literal) @nest

    (parameter name: (simple_identifier) @typed . name: (_) @written)
    (property_declaration name: (pattern bound_identifier: (simple_identifier) @typed) (type_annotation name: (_) @written))
    (property_declaration name: (pattern bound_identifier: (simple_identifier) @typed) value: (_) @value)
    (for_statement item: (pattern bound_identifier: (simple_identifier) @each) collection: (_) @value)
    (if_statement bound_identifier: (simple_identifier) @typed . condition: (_) @value)
    (guard_statement bound_identifier: (simple_identifier) @typed . condition: (_) @value)
    (lambda_parameter name: (simple_identifier) @typed)
    (function_declaration name: (simple_identifier) @typed name: [(user_type) (optional_type)] @written)
    (protocol_function_declaration name: (simple_identifier) @typed name: [(user_type) (optional_type)] @written)
  `,
};
