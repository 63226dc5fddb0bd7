"""Prints call sites and definitions of Python files as JSON; reads paths, relative to the first argument, from stdin."""

import ast
import json
import os
import sys


def name_of(node):
    """The node that ends with the name of the called function."""
    if isinstance(node, ast.Call):
        return name_of(node.func)
    return node if isinstance(node, (ast.Name, ast.Attribute)) else None


class Reader(ast.NodeVisitor):
    def __init__(self, lines):
        self.lines, self.callers, self.calls, self.defs = lines, [], [], []

    def name_line(self, node):
        words = ("def ", "class ", "async ")
        at = node.lineno
        while not self.lines[at - 1].lstrip().startswith(words):
            at += 1
        return at

    def visit_def(self, node):
        line = self.name_line(node)
        self.defs.append([line, self.lines[line - 1].index(node.name, self.lines[line - 1].index(" "))])
        for decorator in node.decorator_list:
            if not isinstance(decorator, ast.Call):
                self.add(decorator)
            self.visit(decorator)
        is_function = not isinstance(node, ast.ClassDef)
        rest = [child for child in ast.iter_child_nodes(node) if child not in node.decorator_list]
        if is_function:
            self.callers.append(self.name_line(node))
        for child in rest:
            self.visit(child)
        if is_function:
            self.callers.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_def

    def visit_Call(self, node):
        self.add(node)
        self.generic_visit(node)

    def add(self, node):
        name = name_of(node)
        if name is None or isinstance(node, ast.Call) and isinstance(node.func, ast.Call):
            return
        text = name.attr if isinstance(name, ast.Attribute) else name.id
        # Column offsets count bytes; the name is at the end of its node.
        end = len(self.lines[name.end_lineno - 1].encode()[: name.end_col_offset].decode())
        caller = self.callers[-1] if self.callers else 0
        self.calls.append([name.end_lineno, end - len(text), text, caller])


found = {}
for path in sys.stdin.read().split("\n"):
    try:
        text = open(os.path.join(sys.argv[1], path), encoding="utf8").read()
        reader = Reader(text.split("\n"))
        reader.visit(ast.parse(text))
        found[path] = {"calls": reader.calls, "defs": reader.defs}
    except (OSError, SyntaxError, ValueError, IndexError):
        pass
json.dump(found, sys.stdout)
