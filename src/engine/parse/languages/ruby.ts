import { toWordSet } from "../../word-set.ts";
import { byKeyword } from "../access.ts";
import { importAll, quoted } from "../imports.ts";
import type { Language } from "../language.ts";

/** Methods of Ruby itself that load, mix in or declare, and pseudo-variables. */
const DIRECTIVES = toWordSet(
  "require require_relative load autoload include extend prepend private protected public attr_accessor attr_reader attr_writer __FILE__ __LINE__",
);

/** Rules for Ruby. */
export const ruby: Language = {
  id: "ruby",
  emptyBodies: true,
  ignoredCalls: DIRECTIVES,
  access: byKeyword(() => "public"),
  readImport: (statement) => importAll(quoted(statement)),
  rules: `
    (module name: (_) @name) @def.module
    (class name: (_) @name) @def.class
    (program (method name: (_) @name) @def.function)
    (method name: (_) @name) @def.method
    (alias name: (_) @name) @def.method
    (singleton_method name: (_) @name) @def.method
    (assignment left: (constant) @name right: (call receiver: (constant) @_s method: (identifier) @_n (#any-of? @_s "Struct" "Class" "Data") (#any-of? @_n "new" "define"))) @def.class
    (assignment left: (constant) @name) @def.constant
    (call method: (identifier) @_d arguments: (argument_list . (simple_symbol) @name) block: (_) (#any-of? @_d "define_method" "define_singleton_method")) @def.method
    (call !receiver method: (identifier) @_a arguments: (argument_list (simple_symbol) @name @def.property) (#any-of? @_a "attr_accessor" "attr_reader" "attr_writer"))

    (method name: (identifier) @skip)
    (singleton_method name: (identifier) @skip)
    (setter name: (identifier) @skip)
    (call receiver: (_) @receiver method: [(identifier) (constant)] @call)
    (call !receiver method: [(identifier) (constant)] @call)
    (super) @call
    [(method_parameters (identifier) @local) (block_parameters (identifier) @local) (lambda_parameters (identifier) @local)
      (optional_parameter name: (identifier) @local) (keyword_parameter name: (identifier) @local)
      (splat_parameter name: (identifier) @local) (hash_splat_parameter name: (identifier) @local)
      (block_parameter name: (identifier) @local) (assignment left: (identifier) @local)
      (operator_assignment left: (identifier) @local) (left_assignment_list (identifier) @local)
      (exception_variable (identifier) @local) (for pattern: (identifier) @local)
      (destructured_parameter (identifier) @local) (destructured_left_assignment (identifier) @local)
      (rest_assignment (identifier) @local)]
    (alias name: (_) @skip)
    (alias alias: (_) @skip)

    (body_statement (identifier) @access (#any-of? @access "private" "protected" "public"))
    (identifier) @mention

    (call !receiver method: (identifier) @_r (#any-of? @_r "require" "require_relative" "load" "autoload")) @import
    (superclass [(constant) (scope_resolution)] @base)
    (call !receiver method: (identifier) @_i arguments: (argument_list [(constant) (scope_resolution)] @base) (#any-of? @_i "include" "extend" "prepend"))

    (elsif) @elseif
    [(if (else) @else) (unless (else) @else) (elsif (else) @else)]
    [(if) (unless) (while) (until) (for) (rescue) (conditional) (if_modifier) (unless_modifier) (while_modifier)
      (until_modifier) (rescue_modifier)] @branch
    [(case) (case_match)] @switch
    [(when) (in_clause)] @case
    (binary operator: ["&&" "and"]) @and
    (binary operator: ["||" "or"]) @or
    (operator_assignment operator: ["||=" "&&="]) @case
    [(block) (do_block) (lambda)] @nest

    (assignment left: (instance_variable) @field right: (_) @value)
    (assignment left: (identifier) @typed right: (_) @value)
    (method_parameters (identifier) @typed)
    (block_parameters (identifier) @typed)
    (optional_parameter name: (identifier) @typed)
    (keyword_parameter name: (identifier) @typed)
  `,
};
