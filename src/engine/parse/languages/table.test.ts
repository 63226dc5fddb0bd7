import { describe, expect, it } from "vitest";
import { languageOf } from "./table.ts";

const idOf = (path: string, text = "") => languageOf(path, text)?.id ?? null;

describe("languageOf", () => {
  it.each([
    ["src/a.ts", "typescript"],
    ["src/a.d.mts", "typescript"],
    ["src/a.tsx", "tsx"],
    ["a.mjs", "javascript"],
    ["A.PY", "python"],
    ["stubs/a.pyi", "python"],
    ["a.go", "go"],
    ["a.rs", "rust"],
    ["A.java", "java"],
    ["a.c", "c"],
    ["a.hpp", "cpp"],
    ["A.cs", "csharp"],
    ["lib/a.rake", "ruby"],
    ["Gemfile", "ruby"],
    ["a.php", "php"],
    ["build.gradle.kts", "kotlin"],
    ["A.swift", "swift"],
    ["build.sbt", "scala"],
    ["tests/a.bats", "bash"],
    ["home/.bashrc", "bash"],
    ["README.md", null],
    ["Makefile", null],
    ["ts", null],
    [".ts", null],
    ["a.ts/readme", null],
  ])("%s is %s by its name", (path, expected) => {
    expect(idOf(path)).toBe(expected);
  });

  it.each([
    ["#!/bin/sh\n", "bash"],
    ["#!/usr/bin/env bash\n", "bash"],
    ["#!/usr/bin/env -S node --flag\n", "javascript"],
    ["#!/usr/bin/python3.11\n", "python"],
    ["#! /usr/bin/ruby -w\n", "ruby"],
    ["#!/usr/bin/env deno run\n", "typescript"],
    ["#!/usr/bin/perl\n", null],
    ["#!/usr/bin/env constructor\n", null],
    ["#!\n", null],
    ["text\n#!/bin/sh\n", null],
    ["", null],
  ])("a file without an ending has the language of its first line %j", (text, expected) => {
    expect(idOf("bin/tool", text)).toBe(expected);
    expect(idOf("bin/tool.conf", text)).toBe(null);
  });

  it("distinguishes headers of C and C++ by their content", () => {
    expect(idOf("a.h", "#ifndef A_H\nstruct a { int b; };\nint f(void);\n")).toBe("c");
    expect(idOf("a.h", "namespace a {\nclass B;\n}\n")).toBe("cpp");
    expect(idOf("a.h", "std::string name();\n")).toBe("cpp");
    expect(idOf("a.h", "template <typename T>\nT f(T t);\n")).toBe("cpp");
  });

  it("distinguishes included files of PHP and C", () => {
    expect(idOf("a.inc", "<?php function f() {}")).toBe("php");
    expect(idOf("a.inc", "#define A 1\n")).toBe("c");
    expect(idOf("a.inc", "namespace a {\n}\n")).toBe("cpp");
  });
});
