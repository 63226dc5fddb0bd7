import { expect } from "vitest";
import type { RecordedRequest } from "./model-server.ts";
import { DECISIVE_FILE } from "./scratch.ts";

const TAIL_CHARS = 3_000;
const HEADING = "【Auto Tools Results】";

/**
 * The evidence block in a text that a model was given, from its heading to its end marker, which some clients get in
 * square brackets.
 *
 * Contract: throws, showing the end of the text, when there is no block or its end marker does not match, as in a cut
 * block.
 */
export function findEvidence(text: string): string {
  const [block] = /【Auto Tools Results】[^<[]*[<[]gw-([0-9a-f]{12})[>\]][\s\S]*?[<[]\/gw-\1[>\]]/u.exec(text) ?? [];
  if (block === undefined) throw new Error(`no whole evidence block; the text ends: ${text.slice(-TAIL_CHARS)}`);
  return block;
}

/** All that a model was told in a request. */
export function toldIn(request: RecordedRequest | undefined): string {
  return (request?.messages ?? []).flatMap(({ texts }) => texts).join("\n");
}

/** How many evidence blocks a text has. */
export const countEvidence = (text: string): number => text.split(HEADING).length - 1;

/** The requests whose conversation has the prompt, as it was typed, in order of arrival. */
export const requestsWith = (requests: readonly RecordedRequest[], prompt: string): RecordedRequest[] =>
  requests.filter((request) => toldIn(request).includes(prompt));

/** Expects the prompt as it was typed and one whole evidence block, in the first request with the prompt and in each other. */
export function expectEvidenceOnce(requests: readonly RecordedRequest[], prompt: string): void {
  const carriers = requestsWith(requests, prompt);
  expect(carriers, "no request has the prompt as it was typed").not.toEqual([]);
  for (const request of carriers) {
    const told = toldIn(request);
    expect(countEvidence(told)).toBe(1);
    expect(findEvidence(told)).toContain(DECISIVE_FILE);
  }
}

/** Expects that the prompt reached the model as it was typed, without any evidence. */
export function expectPlainPrompt(requests: readonly RecordedRequest[], prompt: string): void {
  const carriers = requestsWith(requests, prompt);
  expect(carriers, "no request has the prompt as it was typed").not.toEqual([]);
  expect(carriers.map((request) => countEvidence(toldIn(request)))).toEqual(carriers.map(() => 0));
}
