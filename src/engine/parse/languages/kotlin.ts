import { byKeyword } from "../access.ts";
import { readPaths } from "../imports.ts";
import type { Language } from "../language.ts";

/** Rules for Kotlin. */
export const kotlin: Language = {
  id: "kotlin",
  bodies: new Set(["function_body", "class_body", "enum_class_body", "block"]),
  access: byKeyword(() => "public"),
  readImport: (statement) => readPaths(statement.replace(/^\s*import\s+/, "").replace(/[;\s]+$/, "")),
  rules: `
    (class_declaration "interface" name: (_) @name) @def.interface
    (class_declaration (modifiers (class_modifier "enum")) name: (_) @name) @def.enum
    (class_declaration name: (_) @name) @def.class
    (object_declaration name: (_) @name) @def.class
    (companion_object name: (_) @name) @def.class
    (enum_entry . (identifier) @name) @def.constant
    (enum_entry (modifiers) . (identifier) @name) @def.constant
    (function_declaration (user_type) @owner . "." . name: (_) @name) @def.function
    (class_body (function_declaration name: (_) @name) @def.method)
    (function_declaration name: (_) @name) @def.function
    (secondary_constructor "constructor" @name) @def.method
    (property_declaration (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name)) @def.constant
    (property_declaration (variable_declaration . (identifier) @name)) @def.variable
    (class_parameter ["val" "var"] (identifier) @name) @def.property
    (type_alias type: (_) @name) @def.type

    (call_expression . (identifier) @call)
    (call_expression . (navigation_expression . (_) @receiver (identifier) @call .))
    (call_expression . (unary_expression argument: (identifier) @call))
    (infix_expression (_) @receiver . (identifier) @call . (_))
    (constructor_invocation (user_type (identifier) @new .))
    (constructor_delegation_call ["this" "super"] @call)
    (callable_reference (identifier) @call .)
    (annotation (user_type (identifier) @decorator .))
    (annotation (constructor_invocation (user_type (identifier) @decorator .)))

    (import) @import
    (delegation_specifier (user_type) @base)
    (delegation_specifier (constructor_invocation (user_type) @base))
    (delegation_specifier (explicit_delegation . (user_type) @base))

    (if_expression "else" (if_expression) @elseif)
    (if_expression "else" . (block) @else)
    [(if_expression) (for_statement) (while_statement) (do_while_statement) (catch_block)] @branch
    (when_expression) @switch
    (when_entry condition: (_)) @case
    (binary_expression operator: "&&") @and
    (binary_expression operator: ["||" "?:"]) @or
    [(lambda_literal) (anonymous_function) (anonymous_initializer)] @nest

    (parameter . (identifier) @typed . (_) @written)
    (class_parameter (identifier) @typed . (_) @written)
    (variable_declaration . (identifier) @typed . (_) @written)
    (for_statement (variable_declaration . (identifier) @each .) . (_) @value)
    (property_declaration (variable_declaration . (identifier) @typed .) . (_) @value .)
    (variable_declaration . (identifier) @typed)
    (catch_block . (identifier) @typed . (_) @written)
    (function_declaration name: (_) @typed (function_value_parameters) . [(user_type) (nullable_type)] @written)
    (function_declaration name: (_) @typed (function_body . (call_expression) @value .))
    (package_header (qualified_identifier) @package)
  `,
};
