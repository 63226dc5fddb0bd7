import { toWordSet } from "../../word-set.ts";
import { visibleIf } from "../access.ts";
import { EVERYTHING, quoted, wholeSource } from "../imports.ts";
import type { Import, Language } from "../language.ts";

function readImport(spec: string): Import[] {
  const source = quoted(spec);
  const alias = /^\s*([\w.]+)\s/.exec(spec)?.[1];
  if (alias === ".") return [{ source, names: EVERYTHING }];
  // By convention the last part that is not a version is the package's name.
  const name =
    source
      .split("/")
      .filter((part) => !/^v\d+$/.test(part))
      .at(-1) ?? source;
  return [{ source, names: wholeSource(alias ?? name.replace(/\.v\d+$/, "")) }];
}

/** Types whose conversions look like calls. */
const CONVERSIONS = toWordSet(
  "string bool byte rune int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 any error",
);

/** Rules for Go. */
export const go: Language = {
  id: "go",
  access: ({ name }) => (/^\p{Lu}/u.test(name) ? visibleIf(true) : { visibility: "package", exported: false }),
  readImport,
  ignoredCalls: CONVERSIONS,
  rules: `
    (function_declaration name: (_) @name) @def.function
    (method_declaration receiver: (parameter_list (parameter_declaration type: [
      (type_identifier) @owner
      (pointer_type (type_identifier) @owner)
      (generic_type type: (_) @owner)
      (pointer_type (generic_type type: (_) @owner))])) name: (_) @name) @def.method
    (type_spec name: (_) @name type: (struct_type)) @def.struct
    (type_spec name: (_) @name type: (interface_type)) @def.interface
    (type_spec name: (_) @name) @def.type
    (type_alias name: (_) @name) @def.type
    (interface_type (method_elem name: (_) @name) @def.method)
    (field_declaration name: (field_identifier) @name) @def.property
    (source_file (const_declaration (const_spec name: (identifier) @name) @def.constant))
    (source_file (var_declaration (var_spec name: (identifier) @name) @def.variable))
    (source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @def.variable)))

    (call_expression function: (identifier) @call)
    (call_expression function: (selector_expression operand: (_) @receiver field: (_) @call))
    (call_expression function: (parenthesized_expression (identifier) @call))
    (call_expression function: (index_expression operand: (identifier) @call))
    (type_conversion_expression type: (generic_type type: (type_identifier) @call))
    (composite_literal type: (type_identifier) @new)
    (composite_literal type: (generic_type type: (type_identifier) @new))
    (composite_literal type: (qualified_type package: (_) @receiver name: (_) @new))

    (import_spec) @import
    (struct_type (field_declaration_list (field_declaration !name type: [(type_identifier) (qualified_type)] @base)))
    (struct_type (field_declaration_list (field_declaration !name type: (generic_type type: (_) @base))))
    (interface_type (type_elem . [(type_identifier) (qualified_type)] @base .))

    (if_statement alternative: (if_statement) @elseif)
    (if_statement alternative: (block) @else)
    [(if_statement) (for_statement)] @branch
    [(expression_switch_statement) (type_switch_statement) (select_statement)] @switch
    [(expression_case) (type_case) (communication_case)] @case
    (binary_expression operator: "&&") @and
    (binary_expression operator: "||") @or
    [(goto_statement) (break_statement (label_name)) (continue_statement (label_name))] @jump
    (func_literal) @nest

    (parameter_declaration name: (identifier) @typed type: (_) @written)
    (variadic_parameter_declaration name: (identifier) @typed)
    (short_var_declaration left: (expression_list . (identifier) @typed) right: (expression_list . (_) @value))
    (short_var_declaration left: (expression_list (identifier) @typed))
    (var_spec name: (identifier) @typed type: (_) @written)
    (var_spec name: (identifier) @typed value: (expression_list . (_) @value))
    (range_clause left: (expression_list (identifier) . (identifier) @each) right: (_) @value)
    (range_clause left: (expression_list (identifier) @typed))
    (type_switch_statement alias: (expression_list (identifier) @typed))
    (field_declaration name: (field_identifier) @typed type: (_) @written)
    (function_declaration name: (_) @typed result: (parameter_list . (parameter_declaration type: (_) @written)))
    (function_declaration name: (_) @typed result: (_) @written)
    (method_declaration name: (_) @typed result: (parameter_list . (parameter_declaration type: (_) @written)))
    (method_declaration name: (_) @typed result: (_) @written)
    (method_elem name: (_) @typed result: (parameter_list . (parameter_declaration type: (_) @written)))
    (method_elem name: (_) @typed result: (_) @written)
    (type_spec name: (_) @typed type: [(type_identifier) (qualified_type) (pointer_type) (map_type) (slice_type) (array_type)] @written)
  `,
};
