import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { defang } from "./defang.ts";
import { defangFetches } from "./fetch.ts";

describe("[G B.3] [G D.17] markup that makes a renderer fetch something is broken up", () => {
  it.each([
    ["<iframe src=//evil.example/x></iframe>", "‹iframe src=//evil.example/x></iframe>"],
    ['<img src="https://evil.example/x.png">', '‹img src="https://evil.example/x.png">'],
    ["<IMG\nSRC\n=\n'https://evil.example/x.png'>", "‹IMG\nSRC\n=\n'https://evil.example/x.png'>"],
    ["<img/src=https:evil.example>", "‹img/src=https:evil.example>"],
    ['<img src="a.png" srcset="a.png 1x, //evil.example/b.png 2x">', null],
    ['<img alt=">" src=//evil.example>', null],
    ['<img alt="<b" src=//evil.example>', null],
    ["<img title='a\"b' src=//evil.example>", null],
    ['<img src="https://evil.example/unclosed', null],
    ['<link rel="stylesheet" href="https://evil.example/a.css">', null],
    ['<script src="//evil.example/a.js"></script>', null],
    ['<meta http-equiv="refresh" content="0;url=https://evil.example">', null],
    ['<meta http-equiv=refresh content="0; //evil.example">', null],
    ['<svg><image href="https://evil.example/x.svg"/></svg>', null],
    ['<svg><use xlink:href="//evil.example/x.svg#a"/></svg>', null],
    ["<video poster=https://evil.example/p.png>", null],
    ["<audio src=https://evil.example/a.ogg>", null],
    ['<source srcset="https://evil.example/a.webp">', null],
    ['<track src="https://evil.example/a.vtt">', null],
    ['<embed src="https://evil.example/a.swf">', null],
    ['<object data="https://evil.example/a.svg">', null],
    ['<input type="image" src="https://evil.example/b.png">', null],
    ['<body background="https://evil.example/b.png">', null],
    ['<base href="https://evil.example/">', null],
    ['<div style="background:url(//evil.example/b.png)">', null],
    ['<div style="background:u\\72l(//evil.example/b.png)">', null],
    ["<style>\n.a { background: u\\72l(//evil.example/b.png) }\n</style>", null],
    ['<img src="&#104;ttps://evil.example/x.png">', null],
    ['<img src="&#x68;ttps&colon;&sol;&sol;evil.example/x.png">', null],
    ['<img src="ht\ntps://evil.example/x.png">', null],
    ["<img src='\\\\evil.example\\x.png'>", null],
    ['<img src="data:image/svg+xml;base64,PHN2Zz4=">', null],
    ['<?xml-stylesheet href="https://evil.example/a.css"?>', null],
    ["<img\u00a0src=//evil.example>", null],
    ["background: url(https://evil.example/b.png);", "background: url (https://evil.example/b.png);"],
    ["background: url( '//evil.example/b.png' );", "background: url ( '//evil.example/b.png' );"],
    ["background: url(data:image/png;base64,AAAA);", "background: url (data:image/png;base64,AAAA);"],
    ['background: image-set("https://evil.example/b.png" 1x);', null],
    ['@import "https://evil.example/a.css";', '@ import "https://evil.example/a.css";'],
    ["@import url(//evil.example/a.css);", null],
    ["![p](https://evil.example/x.png)", "! [p](https://evil.example/x.png)"],
    ["![p]( https://evil.example/x.png )", "! [p]( https://evil.example/x.png )"],
    ["![p](\n  <https://evil.example/x.png>)", null],
    ['![p](//evil.example/x.png "a title")', null],
    ["![a [b] c](https://evil.example/x.png)", null],
    ["![a\nb](https://evil.example/x.png)", null],
    ["![a]b](https://evil.example/x.png)", null],
    ["![a \\] b](https://evil.example/x.png)", null],
    [
      "[![p](https://evil.example/x.png)](https://docs.example)",
      "[! [p](https://evil.example/x.png)](https://docs.example)",
    ],
    ["![p](&#104;ttps://evil.example/x.png)", null],
    ["![p](https\\://evil.example/x.png)", null],
    ["![p](data:image/png;base64,AAAA)", null],
    ["![p](//", "! [p](//"],
    ["![p]( //\n", null],
    ["![p](<//", null],
    ["![p](\\/\\/", null],
    ["![x][1]\n\n[1]: https://evil.example/x.png", "! [x][1]\n\n[1]: https://evil.example/x.png"],
    ["![x][]\n\n[x]: <https://evil.example/x.png>", null],
    ["![x]\n\n> [X]: //evil.example/x.png", null],
    ["![x][elsewhere]", "! [x][elsewhere]"],
  ])("%j", (text, shown) => {
    const calm = defang(text);
    expect(calm).not.toBe(text);
    if (shown !== null) expect(calm).toBe(shown);
    // The change is visible but does not hinder reading.
    expect(calm.replace(/[‹<]/g, "<").replace(/! \[/g, "![").replace(/ \(/g, "(").replace("@ i", "@i")).toBe(
      text.replace(/ \(/g, "("),
    );
    expect(defang(calm)).toBe(calm);
  });

  it.each([
    "See [the guide](https://docs.example/a) and https://docs.example/b.",
    '<a href="https://docs.example/a" title="https://docs.example">guide</a>',
    "<https://docs.example/?next=https://docs.example/b>",
    'const url = "https://api.example/v1";',
    "fetch('https://api.example/v1')",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">',
    '<project xmlns="http://maven.apache.org/POM/4.0.0" xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd">',
    '<input placeholder="https://example.com">',
    '<meta property="og:url" content="https://docs.example">',
    "<img src={url} alt='x' />",
    "<img src={toUrl('https://docs.example/a.png')} />",
    '<img src="/static/logo.png">',
    "![logo](docs/logo.png)",
    "![logo][l]\n\n[l]: docs/logo.png",
    "if (![1, 2].includes(x)) return; // see [the issue](https://docs.example/1)",
    "background: url(images/a.png);",
    "@import '../../base/base.css';",
    "import x from 'https://esm.example/x';",
    "@import // the rest stands below",
    "for (let i = 0; i < n; i++) { // https://docs.example\n  a = b;",
    "<?php $url = 'https://api.example';",
    "[1]: https://docs.example/a",
    "Map<string, URL> m; // https://docs.example",
  ])("leaves links and addresses that are only text: %s", (text) => {
    expect(defangFetches(text)).toBe(text);
  });

  it("works in any mixture, and is idempotent", () => {
    const piece = fc.constantFrom(
      ...["<img ", "<a ", "<", ">", "src=", "href=", "alt=", '"', "'", " ", "\n", "/", "//evil.example", "https:", "x"],
      ...[
        "![",
        "[",
        "]",
        "](",
        "](https://evil.example)",
        ")",
        "url(",
        "@import ",
        "<style>",
        "</style>",
        "data:",
        "=",
        "\\",
      ],
      ...["&#104;ttps://e", "[x]: //e\n", "![x]", "{", "}"],
    );
    void fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
        const calm = defang(parts.join(""));
        expect(defang(calm)).toBe(calm);
        expect(calm).not.toMatch(/<(?:img|style)[^>"'=]*\s(?:src|href)=["']?(?:https?:|data:)?\/\/\w/i);
        expect(calm).not.toMatch(/!\[[^[\]]*\]\((?:https?:)?\/\//);
      }),
      { numRuns: 3_000 },
    );
  });

  it("is linear on hostile text", () => {
    for (const unit of [
      "<a ",
      '<a b="',
      "<a b='//x",
      "![",
      "![a](",
      "url(  ",
      "<style>//x ",
      "[a]: //x\n![a]",
      "<a\n=\n",
    ]) {
      const text = `${unit.repeat(100_000).slice(0, 100_000)} https://x`;
      const spent = countFloors();
      defangFetches(text);
      // A quadratic algorithm would take minutes.
      expect(spent()).toBeLessThan(100);
    }
  });
});
