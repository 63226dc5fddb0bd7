import { existsSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type EmbeddingRequest, sendVectors, startEmbeddingServer } from "../../tests/support/embedding-server.ts";
import { callTool, type IndexedRepo, makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { countUsualMs } from "../../tests/support/timed.ts";
import { systemClock } from "../base/clock.ts";
import { type EmbeddingSettings, LATE } from "./embedder.ts";
import { makeEngine } from "./engine.ts";
import { INDEX_FILES } from "./store/database.ts";

const QUESTION = "where is the money given back to the customer?";
const SECRET = `ghp_${"Zx9Qw7".repeat(6)}`;
const source = (name: string) =>
  `/** Money that is given to the customer, and back. */\nexport function ${name}() {\n  const token = "${SECRET}";\n}\n`;
/** The first two files are equally good matches by words. */
const FILES = {
  "src/payment.ts": source("paymentMoney"),
  "src/refund.ts": source("refundMoney"),
  "src/order.ts": "/** An order. */\nexport function order() {\n  return customer;\n}\n",
};

/** Two-dimensional vectors: the file that is second by words is closest to the question. */
const toVector = (text: string) => (text === QUESTION || text.includes(plain.files[1] ?? "") ? [3, 0.3] : [0.3, 3]);
const answerWell = ({ input }: EmbeddingRequest, response: ServerResponse) =>
  sendVectors(response, input.map(toVector));

const repo = await makeIndexedRepo(makeFolder(FILES));

async function ask(of: IndexedRepo, embeddings: EmbeddingSettings | null, query = QUESTION, usesIndex = true) {
  const engine = makeEngine({
    clock: systemClock,
    folderOf: () => of.folder,
    past: null,
    embeddings,
    grammars: null,
    startBuilder: async () => {},
  });
  const { result, limits } = await callTool(of, "ci_search", { query }, { engine, usesIndex });
  const candidates = (result.data?.["candidates"] ?? []) as { file: string; score: number; reason: string }[];
  return { files: candidates.map(({ file }) => file), candidates, limits, model: result.data?.["model"], engine };
}

const plain = await ask(repo, null);

describe("the user's embedding model", () => {
  it("moves hits that are close in meaning up and says so, without adding or dropping any", async () => {
    await using server = await startEmbeddingServer(answerWell);
    const { files, candidates, limits, model } = await ask(repo, { url: server.url, model: "small" });
    expect(files[0]).toBe(plain.files[1]);
    expect(files.toSorted()).toEqual(plain.files.toSorted());
    expect(candidates[0]?.reason).toContain("close in meaning");
    expect(candidates.map(({ score }) => score)).toEqual(plain.candidates.map(({ score }) => score));
    expect([limits, model]).toEqual([[], "small"]);
    expect(server.requests[0]).toMatchObject({ path: "/v1/embeddings", model: "small" });
  });

  it("is asked once per text and never receives a possible secret", async () => {
    await using server = await startEmbeddingServer(answerWell);
    const own = await makeIndexedRepo(makeFolder(FILES));
    const settings = { url: `${server.url}/custom/path`, model: "" };
    await ask(own, settings);
    await ask(own, settings);
    expect(server.requests.map(({ path, input }) => [path, input.length])).toEqual([
      ["/custom/path", 1 + plain.files.length],
      ["/custom/path", 1],
    ]);
    expect(JSON.stringify(server.requests)).toContain("src/refund.ts");
    expect(JSON.stringify(server.requests)).not.toContain(SECRET);
    expect(server.requests[0]).not.toHaveProperty("model");
  });

  it("has its vectors cached with the index, and not at all without one", async () => {
    await using server = await startEmbeddingServer(answerWell);
    const own = await makeIndexedRepo(makeFolder(FILES));
    const file = join(own.folder, INDEX_FILES.vectors);
    const settings = { url: server.url, model: "" };
    expect((await ask(own, settings, QUESTION, false)).files[0]).toBe(plain.files[1]);
    expect(existsSync(file)).toBe(false);
    const { engine } = await ask(own, settings);
    expect(existsSync(file)).toBe(true);
    engine.clear(own.root);
    expect(existsSync(file)).toBe(false);
  });

  it("is not asked about a name", async () => {
    await using server = await startEmbeddingServer(answerWell);
    const { files } = await ask(repo, { url: server.url, model: "" }, "paymentMoney");
    expect([files[0], server.requests]).toEqual(["src/payment.ts", []]);
  });

  it("is asked once for a search and for what surrounds its hits", async () => {
    await using server = await startEmbeddingServer(answerWell);
    const own = await makeIndexedRepo(makeFolder(FILES));
    const { engine } = await ask(own, { url: server.url, model: "" });
    await callTool(own, "ci_graph_rag", { query: QUESTION }, { engine });
    expect(server.requests).toHaveLength(1);
  });

  it("is asked again if the cached vectors are those of another model with the same name", async () => {
    let dimensions = 2;
    await using server = await startEmbeddingServer(({ input }, response) =>
      sendVectors(
        response,
        input.map((text) => [...toVector(text), ...Array(dimensions - 2).fill(0)]),
      ),
    );
    const own = await makeIndexedRepo(makeFolder(FILES));
    const settings = { url: server.url, model: "" };
    await ask(own, settings);
    dimensions = 3;
    const { files, limits } = await ask(own, settings);
    expect([files[0], limits]).toEqual([plain.files[1], []]);
  });
});

describe("without its answer, words determine the order and a limit says so", () => {
  const json = (value: unknown) => (_: EmbeddingRequest, response: ServerResponse) => {
    response.end(JSON.stringify(value));
  };
  const vectors = (make: (at: number) => unknown) => (request: EmbeddingRequest, response: ServerResponse) =>
    json({ data: request.input.map((_text, at) => ({ index: at, embedding: make(at) })) })(request, response);

  it.each<[string, Parameters<typeof startEmbeddingServer>[0], string]>([
    ["an error", (_, response) => void response.writeHead(500).end("no such model"), "answered with an error"],
    [
      "a redirect",
      (_, response) => void response.writeHead(302, { location: "http://example.org" }).end(),
      "answered with an error",
    ],
    ["a broken connection", (_, response) => void response.destroy(), "does not answer"],
    ["no JSON", (_, response) => void response.end("<html>"), "answered with something other than vectors"],
    ["another shape", json({ data: "vectors" }), "something other"],
    ["too few", json({ data: [{ index: 0, embedding: [1, 2] }] }), "something other"],
    [
      "one place twice",
      (request, response) => json({ data: request.input.map(() => ({ index: 0, embedding: [1] })) })(request, response),
      "something other",
    ],
    [
      "a place that is none",
      (request, response) =>
        json({ data: request.input.map(() => ({ index: -1, embedding: [1] })) })(request, response),
      "something other",
    ],
    ["wrong dimensions", vectors((at) => Array(at + 1).fill(1)), "something other"],
    ["no dimensions", vectors(() => []), "something other"],
    ["zeros", vectors(() => [0, 0]), "something other"],
    ["texts", vectors(() => ["1", "2"]), "something other"],
    ["infinities", vectors(() => [1.7e308, 1.7e308]), "something other"],
    ["base64", vectors(() => "AACAPw=="), "something other"],
  ])("%s", async (_, answer, told) => {
    await using server = await startEmbeddingServer(answer);
    const { files, candidates, limits, model } = await ask(repo, { url: server.url, model: "x" });
    expect(files).toEqual(plain.files);
    expect(candidates.map(({ reason }) => reason)).toEqual(plain.candidates.map(({ reason }) => reason));
    expect(limits).toEqual([expect.stringContaining(told)]);
    expect(limits[0]).toContain("ranked by words alone");
    expect(model).toBeNull();
  });

  it("no server", async () => {
    const { files, limits } = await ask(repo, { url: "http://127.0.0.1:9/", model: "" });
    expect([files, limits]).toEqual([plain.files, ["the embedding model does not answer; ranked by words alone"]]);
  });

  it("another machine is never contacted", async () => {
    const { files, limits } = await ask(repo, { url: "http://example.org/", model: "" });
    expect([files, limits]).toEqual([plain.files, ["the embedding model does not answer; ranked by words alone"]]);
  });
});

describe("a model that is too slow", () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `src/f${at}.ts`,
      `/** Money that is given back to the customer, ${at}. */\nexport function given${at}() {}\n`,
    ]),
  );

  it("influences the order by what it compared in time; the rest follows next time", async () => {
    const own = await makeIndexedRepo(makeFolder(many));
    let isSlow = true;
    await using server = await startEmbeddingServer((request, response) => {
      if (!isSlow || server.requests.length === 1) answerWell(request, response);
    });
    const settings = { url: server.url, model: "" };
    const budget = { signal: new AbortController().signal, isExcluded: () => false, usesIndex: true };
    const answer = async (budgetMs: number) => {
      const engine = makeEngine({
        clock: systemClock,
        folderOf: () => own.folder,
        past: null,
        embeddings: settings,
        grammars: null,
        startBuilder: async () => {},
      });
      const repository = await engine.open(own.root, { ...budget, timeLeftMs: () => 200_000 });
      const usualMs = countUsualMs();
      const endMs = performance.now() + budgetMs;
      const { meaning } = await engine.answer(
        own.root,
        repository,
        QUESTION,
        { limit: 10, mode: "semantic", isRestrained: true },
        { ...budget, timeLeftMs: () => endMs - performance.now() },
      );
      expect(usualMs()).toBeLessThan(budgetMs);
      return meaning;
    };
    expect(await answer(1_500)).toEqual({ model: "", compared: 16, of: 40, fault: LATE.fault });
    isSlow = false;
    expect(await answer(60_000)).toEqual({ model: "", compared: 40, of: 40, fault: null });
  });
});
