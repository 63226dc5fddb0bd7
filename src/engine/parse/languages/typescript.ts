import type { ImportedName } from "../facts.ts";
import { EVERYTHING, quoted, readNames, wholeSource } from "../imports.ts";
import type { Declared, Import, Language } from "../language.ts";

/** What JavaScript and TypeScript have in common. */
const SCRIPT = `
  (variable_declarator name: (_) @name value: (call_expression function: (identifier) @_r (#eq? @_r "require"))) @import
  (function_declaration name: (identifier) @name) @def.function
  (generator_function_declaration name: (identifier) @name) @def.function
  (variable_declarator name: (identifier) @name
    value: [(arrow_function) (function_expression) (generator_function)] @own) @def.function
  (method_definition name: (_) @name) @def.method
  (pair key: [(property_identifier) (string)] @name
    value: [(arrow_function) (function_expression) (generator_function)] @own) @def.method
  (assignment_expression left: (member_expression object: (member_expression object: (_) @owner property: (property_identifier) @_p)
    property: (property_identifier) @name)
    right: [(arrow_function) (function_expression)] @own (#eq? @_p "prototype")) @def.method
  (assignment_expression left: (member_expression object: (identifier) property: (property_identifier) @name)
    right: [(arrow_function) (function_expression)] @own) @def.function
  (program (lexical_declaration "const" (variable_declarator name: (identifier) @name) @def.constant))
  (program (lexical_declaration "let" (variable_declarator name: (identifier) @name) @def.variable))
  (program (variable_declaration (variable_declarator name: (identifier) @name) @def.variable))
  (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @def.constant))
  (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @def.variable))

  (decorator (identifier) @decorator)
  (decorator (call_expression function: (identifier) @decorator))
  (decorator (member_expression object: (_) @receiver property: (_) @decorator))
  (decorator (call_expression function: (member_expression object: (_) @receiver property: (_) @decorator)))
  (call_expression function: (identifier) @call)
  (call_expression function: (super) @call)
  (call_expression function: (member_expression object: (_) @receiver property: (_) @call))
  (new_expression constructor: (identifier) @new)
  (new_expression constructor: (member_expression object: (_) @receiver property: (_) @new))

  (import_statement) @import
  (export_statement source: (_)) @import
  (expression_statement (call_expression function: (identifier) @_r (#eq? @_r "require"))) @import
  (variable_declarator value: (await_expression (call_expression function: (import)))) @import
  (call_expression function: (import)) @import

  (export_specifier name: (identifier) @export)
  (export_statement value: (identifier) @export)
  (assignment_expression left: (member_expression) @_m right: (object (shorthand_property_identifier) @export) (#eq? @_m "module.exports"))
  (assignment_expression left: (member_expression) @_m right: (identifier) @export (#match? @_m "^(module\\\\.)?exports"))

  (else_clause (if_statement) @chained)
  (else_clause) @else
  [(if_statement) (for_statement) (for_in_statement) (while_statement) (do_statement) (catch_clause) (ternary_expression)] @branch
  (switch_statement) @switch
  [(switch_case) (assignment_pattern) (object_assignment_pattern) (optional_chain)] @case
  (binary_expression operator: "&&") @and
  (binary_expression operator: ["||" "??"]) @or
  (augmented_assignment_expression operator: ["&&=" "||=" "??="]) @case
  (break_statement label: (_)) @jump
  (continue_statement label: (_)) @jump
  [(arrow_function) (function_expression) (generator_function) (class_static_block)] @scope
`;

const TYPES = `
  (class_declaration name: (_) @name) @def.class
  (abstract_class_declaration name: (_) @name) @def.class
  (variable_declarator name: (identifier) @name value: (class)) @def.class
  (class name: (_) @name) @def.class
  (interface_declaration name: (_) @name) @def.interface
  (type_alias_declaration name: (_) @name) @def.type
  (enum_declaration name: (_) @name) @def.enum
  (enum_body [(property_identifier) (string)] @name @def.constant)
  (enum_assignment name: (_) @name) @def.constant
  (internal_module name: (_) @name) @def.module
  (module name: (_) @name) @def.module
  (function_signature name: (_) @name) @def.function
  (method_signature name: (_) @name) @def.method
  (abstract_method_signature name: (_) @name) @def.method
  (interface_body (property_signature name: (_) @name) @def.property)
  (type_alias_declaration value: (object_type (property_signature name: (_) @name) @def.property))
  (public_field_definition name: (_) @name value: [(arrow_function) (function_expression)] @own) @def.method
  (public_field_definition name: (_) @name) @def.property
  (required_parameter (accessibility_modifier) pattern: (identifier) @name) @def.property
  (required_parameter "readonly" pattern: (identifier) @name) @def.property
  (statement_block (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @def.constant)))
  (extends_clause value: [(identifier) (member_expression)] @base)
  (extends_clause value: (call_expression function: (_) @base))
  (implements_clause [(type_identifier) (nested_type_identifier)] @base)
  (implements_clause (generic_type name: (_) @base))
  (extends_type_clause type: [(type_identifier) (nested_type_identifier)] @base)
  (extends_type_clause type: (generic_type name: (_) @base))
  (required_parameter value: (_)) @case
  (call_expression "?.") @case
`;

const CLASSES = `
  (class_declaration name: (_) @name) @def.class
  (variable_declarator name: (identifier) @name value: (class)) @def.class
  (class name: (_) @name) @def.class
  (field_definition property: (_) @name value: [(arrow_function) (function_expression)] @own) @def.method
  (field_definition property: (_) @name) @def.property
  (class_heritage [(identifier) (member_expression)] @base)
  (field_definition property: (_) @typed value: (_) @value)
`;

/** Names and their types in JavaScript, and in TypeScript without type annotations. */
const VALUES = `
  (variable_declarator name: (identifier) @typed value: (_) @value)
  (variable_declarator name: (identifier) @typed)
  (variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @part) value: (_) @value)
  (object_pattern (shorthand_property_identifier_pattern) @typed)
  (object_pattern (object_assignment_pattern left: (shorthand_property_identifier_pattern) @typed))
  (pair_pattern value: (identifier) @typed)
  (array_pattern (identifier) @typed)
  (rest_pattern (identifier) @typed)
  (formal_parameters (identifier) @typed)
  (arrow_function parameter: (identifier) @typed)
  (catch_clause parameter: (identifier) @typed)
  (for_in_statement left: (identifier) @each operator: "of" right: (_) @value)
  (for_in_statement left: (identifier) @typed)
  (assignment_expression left: (member_expression object: (this) property: (_) @field) right: (_) @value)
  (return_statement [(call_expression) (new_expression) (identifier) (member_expression) (this) (await_expression)] @returned)
  (arrow_function body: [(call_expression) (new_expression) (identifier) (member_expression) (await_expression)] @returned)
  (export_statement "default" value: (identifier) @default)
  (export_statement !source (export_clause (export_specifier name: (_) @name alias: (_) @renamed)))
`;

/** Type annotations of TypeScript. */
const TYPED = `
  (call_signature return_type: (type_annotation (_) @written)) @called
  (variable_declarator name: (identifier) @typed type: (type_annotation (_) @written))
  (variable_declarator name: (identifier) @typed value: (as_expression (_) (_) @written .))
  (variable_declarator name: (identifier) @typed value: [
    (arrow_function return_type: (type_annotation (_) @written))
    (function_expression return_type: (type_annotation (_) @written))])
  (required_parameter pattern: (identifier) @typed type: (type_annotation (_) @written))
  (optional_parameter pattern: (identifier) @typed type: (type_annotation (_) @written))
  (required_parameter pattern: (identifier) @typed value: (_) @value)
  (required_parameter pattern: (identifier) @typed)
  (required_parameter pattern: (object_pattern (shorthand_property_identifier_pattern) @part) type: (type_annotation (_) @written))
  (public_field_definition name: (_) @typed type: (type_annotation (_) @written))
  (public_field_definition name: (_) @typed value: (_) @value)
  (property_signature name: (_) @typed type: (type_annotation (_) @written))
  (function_declaration name: (_) @typed return_type: (type_annotation (_) @written))
  (function_signature name: (_) @typed return_type: (type_annotation (_) @written))
  (method_definition name: (_) @typed return_type: (type_annotation (_) @written))
  (method_signature name: (_) @typed return_type: (type_annotation (_) @written))
  (abstract_method_signature name: (_) @typed return_type: (type_annotation (_) @written))
  (type_alias_declaration name: (_) @typed value: (_) @written)
`;

const JSX = `
  (jsx_opening_element name: (identifier) @call (#match? @call "^[A-Z]"))
  (jsx_self_closing_element name: (identifier) @call (#match? @call "^[A-Z]"))
  (jsx_opening_element name: (member_expression object: (_) @receiver property: (_) @call))
  (jsx_self_closing_element name: (member_expression object: (_) @receiver property: (_) @call))
`;

/** Comments, and quoted text, which may look like comments. */
const COMMENT = /("[^"\n]*"|'[^'\n]*')|\/\*.*?\*\/|\/\/[^\n]*/gs;

/** `import`, `export … from`, `require(…)` and `import(…)` of JavaScript and TypeScript. */
function readScriptImport(written: string): Import[] {
  const statement = !/\/[/*]/.test(written)
    ? written
    : written.replace(COMMENT, (_, quotes: string | undefined) => quotes ?? " ");
  const source = quoted(/(?:from|require\s*\(|import\s*\(|import)\s*(["'`][^"'`]*["'`])/s.exec(statement)?.[1] ?? "");
  if (source === "") return [];
  const binding = /^\s*(?:import|export)\b(?:\s+type\b)?(.*?)\bfrom\b/s.exec(statement)?.[1];
  if (binding !== undefined) return [{ source, names: readBinding(binding, /^\s*export/.test(statement)) }];
  const required = /^\s*([^=]+?)\s*=\s*(?:await\s+)?(?:require|import)\b/s.exec(statement)?.[1];
  return [{ source, names: required === undefined ? [] : readRequired(required) }];
}

function readBinding(binding: string, isExport: boolean): ImportedName[] {
  const group = /\{(.*)\}/s.exec(binding)?.[1];
  const star = /\*\s*(?:as\s+([\w$]+))?/.exec(binding.replace(/\{.*\}/s, ""));
  const first = /^\s*([\w$]+)/.exec(binding)?.[1];
  return [
    ...(first && !isExport ? [{ name: "default", alias: first }] : []),
    ...(star ? (star[1] ? wholeSource(star[1]) : EVERYTHING) : []),
    ...readNames(group?.replace(/\btype\s+(?=[\w$])/g, "") ?? "", / as /),
  ];
}

function readRequired(target: string): readonly ImportedName[] {
  const group = /^\{(.*)\}$/s.exec(target.trim())?.[1];
  return group === undefined ? wholeSource(target.trim()) : readNames(group, /\s*:\s*/);
}

function scriptAccess({ name, head, parentKind, owner }: Declared) {
  const keyword = /\b(private|protected)\b/.exec(head)?.[1];
  const visibility = name.startsWith("#") ? "private" : ((keyword ?? "public") as "private" | "protected" | "public");
  const isMember = parentKind !== null && (owner !== "" || parentKind === "constant" || parentKind === "variable");
  return { visibility, exported: visibility !== "private" && (isMember || /\bexport\b/.test(head)) };
}

const shared = {
  ignoredCalls: new Set(["require"]),
  access: scriptAccess,
  readImport: readScriptImport,
};

/** TypeScript without JSX. */
export const typescript: Language = {
  ...shared,
  id: "typescript",
  rules: TYPES + SCRIPT + TYPED + VALUES,
};

/** TypeScript with JSX. */
export const tsx: Language = {
  ...shared,
  id: "tsx",
  rules: TYPES + JSX + SCRIPT + TYPED + VALUES,
};

/** JavaScript, with or without JSX. */
export const javascript: Language = {
  ...shared,
  id: "javascript",
  rules: CLASSES + JSX + SCRIPT + VALUES,
};
