import { readPaths } from "../imports.ts";
import type { Declared, Language } from "../language.ts";

function access({ head, owner, parentKind, kind }: Declared) {
  // Trait members and enum variants have the visibility of their parent.
  const inherits =
    parentKind === "trait" || (parentKind === "enum" && kind === "constant") || (owner !== "" && /\bfor\b/.test(owner));
  const isPublic = inherits || /\bpub\b/.test(head) || /^(?:#\[macro_export\])/.test(head);
  const isLimited = /\bpub\s*\(/.test(head);
  return { visibility: isLimited ? "internal" : isPublic ? "public" : "private", exported: isPublic } as const;
}

/** Rules for Rust. */
export const rust: Language = {
  id: "rust",
  access,
  readImport: (statement) => readPaths(statement.replace(/^.*?\buse\s+/s, "").replace(/;\s*$/, ""), "::"),
  rules: `
    (function_item name: (_) @name) @def.function
    (function_signature_item name: (_) @name) @def.function
    (struct_item name: (_) @name) @def.struct
    (union_item name: (_) @name) @def.struct
    (enum_item name: (_) @name) @def.enum
    (enum_variant name: (_) @name) @def.constant
    (trait_item name: (_) @name) @def.trait
    (mod_item name: (_) @name body: (_)) @def.module
    (const_item name: (_) @name) @def.constant
    (static_item name: (_) @name) @def.variable
    (type_item name: (_) @name) @def.type
    (associated_type name: (_) @name) @def.type
    (macro_definition name: (_) @name) @def.function
    (struct_item body: (field_declaration_list (field_declaration name: (_) @name) @def.property))
    (impl_item type: (_) @owner) @type

    (call_expression function: (identifier) @call)
    (call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @call))
    (call_expression function: (scoped_identifier path: (_) @receiver name: (_) @call))
    (call_expression function: (generic_function function: (identifier) @call))
    (call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (_) @call)))
    (call_expression function: (generic_function function: (scoped_identifier path: (_) @receiver name: (_) @call)))
    (struct_expression name: (type_identifier) @new)
    (struct_expression name: (scoped_type_identifier path: (_) @receiver name: (_) @new))
    (macro_invocation macro: (identifier) @macro)
    (macro_invocation macro: (scoped_identifier path: (_) @receiver name: (_) @macro))
    [(token_tree (identifier) @call . (token_tree . "(")) (token_repetition (identifier) @call . (token_tree . "("))]
    [(token_tree (identifier) @macro . "!" . (token_tree)) (token_repetition (identifier) @macro . "!" . (token_tree))]

    (use_declaration) @import
    (trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier)] @base))
    (trait_item bounds: (trait_bounds (generic_type type: (_) @base)))
    (impl_item trait: [(type_identifier) (scoped_type_identifier)] @base)
    (impl_item trait: (generic_type type: (_) @base))

    (else_clause (if_expression) @chained)
    (else_clause) @else
    [(if_expression) (for_expression) (while_expression) (loop_expression)] @branch
    (match_expression) @switch
    [(match_arm) (try_expression) (let_declaration alternative: (_))] @case
    (binary_expression operator: "&&") @and
    (binary_expression operator: "||") @or
    [(break_expression (label)) (continue_expression (label))] @jump
    (closure_expression) @nest

    (parameter pattern: (identifier) @typed type: (_) @written)
    (let_declaration pattern: (identifier) @typed type: (_) @written)
    (let_declaration pattern: (identifier) @typed value: (_) @value)
    (let_declaration pattern: (identifier) @typed)
    (tuple_pattern (identifier) @typed)
    (let_condition pattern: (tuple_struct_pattern type: (_) . (identifier) @typed .) value: (_) @value)
    (tuple_struct_pattern type: (_) (identifier) @typed)
    (for_expression pattern: (identifier) @each value: (_) @value)
    (closure_parameters (identifier) @typed)
    (field_declaration name: (_) @typed type: (_) @written)
    (function_item name: (_) @typed return_type: (_) @written)
    (function_signature_item name: (_) @typed return_type: (_) @written)
    (const_item name: (_) @typed type: (_) @written)
    (static_item name: (_) @typed type: (_) @written)
    (type_item name: (_) @typed type: (_) @written)
  `,
};
