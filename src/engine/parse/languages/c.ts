import { byKeyword, visibleIf } from "../access.ts";
import { importAll, quoted } from "../imports.ts";
import type { Declared, Language } from "../language.ts";

const readImport = (statement: string) => importAll(/<([^>\n]*)>/.exec(statement)?.[1] ?? quoted(statement));

/** A function's name may be nested in pointer and reference declarators. */
const declarators = (name: string) => `[
  ${name}
  (pointer_declarator declarator: ${name})
  (pointer_declarator declarator: (pointer_declarator declarator: ${name}))]`;

const FUNCTION = declarators(`(function_declarator declarator: (identifier) @name)`);
const VARIABLE = `[
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))]`;
/** A declared name of known type, possibly nested in pointer and similar declarators. */
const typed = (name: string, more = "") => `[
  (${name}) @typed
  (pointer_declarator declarator: (${name}) @typed)
  (pointer_declarator declarator: (pointer_declarator declarator: (${name}) @typed))
  (array_declarator declarator: (${name}) @typed)
  ${more}]`;

/** Names and their types, for types written as `type`. */
const typedRules = (type: string, more = "") => `
  (parameter_declaration type: ${type} declarator: ${typed("identifier", more)})
  (declaration type: ${type} declarator: ${typed("identifier", more)})
  (declaration type: ${type} declarator: (init_declarator declarator: ${typed("identifier", more)}))
  (field_declaration type: ${type} declarator: ${typed("field_identifier")})
  (function_definition type: ${type} declarator: [
    (function_declarator declarator: (_) @typed)
    (pointer_declarator declarator: (function_declarator declarator: (_) @typed))])
`;

const FILE_LEVEL = [
  "translation_unit",
  "preproc_ifdef",
  "preproc_if",
  "preproc_else",
  "declaration_list",
  "linkage_specification",
];

/** What C and C++ have in common. */
const C_QUERY = `
  (function_definition declarator: ${FUNCTION}) @def.function
  (declaration declarator: ${FUNCTION}) @def.function
  (type_definition type: (struct_specifier body: (_)) declarator: (type_identifier) @name) @def.struct
  (type_definition type: (union_specifier body: (_)) declarator: (type_identifier) @name) @def.struct
  (type_definition type: (enum_specifier body: (_)) declarator: (type_identifier) @name) @def.enum
  (type_definition declarator: (type_identifier) @name) @def.type
  (type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @def.type
  (type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @def.type
  (struct_specifier name: (type_identifier) @name body: (_)) @def.struct
  (union_specifier name: (type_identifier) @name body: (_)) @def.struct
  (enum_specifier name: (type_identifier) @name body: (_)) @def.enum
  (enumerator name: (identifier) @name) @def.constant
  (preproc_function_def name: (identifier) @name) @def.function
  (preproc_def name: (identifier) @name value: (_)) @def.constant
  (field_declaration declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name))
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))]) @def.property
  ${FILE_LEVEL.map(
    (level) => `
  (${level} (declaration declarator: ${VARIABLE}) @def.variable)
  (${level} (declaration declarator: (init_declarator declarator: ${VARIABLE})) @def.variable)`,
  ).join("")}

  (call_expression function: (identifier) @call)
  (call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @call))
  (call_expression function: (parenthesized_expression (pointer_expression argument: (identifier) @call)))

  (preproc_include) @import

  (else_clause (if_statement) @chained)
  (else_clause) @else
  [(if_statement) (for_statement) (while_statement) (do_statement) (conditional_expression)] @branch
  (switch_statement) @switch
  (case_statement "case") @case
  (binary_expression operator: "&&") @and
  (binary_expression operator: "||") @or
  (goto_statement) @jump
`;

/** Separate, because the C grammar rejects a query with node types that only the C++ grammar has, and vice versa. */
const CPP_QUERY = `
  (class_specifier name: (_) @name body: (_)) @def.class
  (struct_specifier name: (template_type name: (_) @name) body: (_)) @def.struct
  (namespace_definition name: (_) @name) @def.module
  (alias_declaration name: (_) @name) @def.type
  (concept_definition name: (_) @name) @def.type
  (declaration (type_qualifier "constexpr") declarator: (init_declarator declarator: (identifier) @name)) @def.constant
  (function_definition declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator declarator: (function_declarator declarator: (_) @name))
    (reference_declarator (function_declarator declarator: (_) @name))]) @def.function
  (field_declaration_list [
    (field_declaration declarator: [
      (function_declarator declarator: [(field_identifier) (operator_name)] @name)
      (pointer_declarator declarator: (function_declarator declarator: (_) @name))
      (reference_declarator (function_declarator declarator: (_) @name))])
    (declaration declarator: (function_declarator declarator: (_) @name))] @def.method)
  (field_declaration_list (template_declaration (declaration declarator: (function_declarator declarator: (_) @name)) @def.method))

  (call_expression function: (qualified_identifier) @call)
  (call_expression function: (template_function name: (identifier) @call))
  (call_expression function: (field_expression argument: (_) @receiver field: (template_method name: (_) @call)))
  (call_expression function: (field_expression argument: (_) @receiver field: (dependent_name (template_method name: (_) @call))))
  (new_expression type: [(type_identifier) (qualified_identifier)] @new)
  (new_expression type: (template_type name: (_) @new))
  (compound_literal_expression type: [(type_identifier) (qualified_identifier)] @new)
  (compound_literal_expression type: (template_type name: (_) @new))
  (declaration type: [(type_identifier) (qualified_identifier)] @new
    declarator: (init_declarator value: [(argument_list) (initializer_list)]))

  (base_class_clause [(type_identifier) (qualified_identifier)] @base)
  (base_class_clause (template_type name: (_) @base))
  (field_declaration_list (access_specifier) @access)
  [(for_range_loop) (catch_clause)] @branch
  (lambda_expression) @nest
`;

const CPP_TYPES = `
  (declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: ${typed("identifier", "(reference_declarator (identifier) @typed)")} value: (_) @value))
  (for_range_loop type: (placeholder_type_specifier) declarator: [(identifier) @each (reference_declarator (identifier) @each)] right: (_) @value)
  (for_range_loop type: (_) @written declarator: [(identifier) @typed (reference_declarator (identifier) @typed)])
  ${typedRules(
    "[(type_identifier) @written (struct_specifier name: (_) @written) (qualified_identifier) @written (template_type) @written]",
    "(reference_declarator (identifier) @typed)",
  )}
  (function_definition type: [(type_identifier) (qualified_identifier) (template_type)] @written
    declarator: (reference_declarator (function_declarator declarator: (_) @typed)))
  (field_declaration type: [(type_identifier) (qualified_identifier) (template_type)] @written
    declarator: [
      (function_declarator declarator: (_) @typed)
      (pointer_declarator declarator: (function_declarator declarator: (_) @typed))
      (reference_declarator (function_declarator declarator: (_) @typed))])
`;

const isOut = ({ head }: Declared) => !/\bstatic\b/.test(head);

/** Rules for C. */
export const c: Language = {
  id: "c",
  access: (declared) => visibleIf(isOut(declared)),
  readImport,
  rules: C_QUERY + typedRules("[(type_identifier) @written (struct_specifier name: (_) @written)]"),
};

const cppAccess = byKeyword(({ parentKind }) => (parentKind === "class" ? "private" : "public"));

/** Rules for C++. */
export const cpp: Language = {
  id: "cpp",
  access: (declared) => {
    // Members defined apart from their class say nothing about visibility.
    if (declared.parentKind === null && declared.owner === "" && !isOut(declared)) return visibleIf(false);
    return declared.parentKind === "class" && declared.section === "" && /::\s*$/.test(declared.head)
      ? visibleIf(true)
      : cppAccess({ ...declared, head: "" });
  },
  readImport,
  ignoredCalls: new Set(["static_cast", "dynamic_cast", "const_cast", "reinterpret_cast"]),
  rules: CPP_QUERY + C_QUERY + CPP_TYPES,
};
