import { expect } from "vitest";
import type { RecordedRequest } from "./model-server.ts";
import { DECISIVE_FILE } from "./scratch.ts";

const TAIL_CHARS = 3_000;
const HEADING = "【Auto Tools Results】";

/**
 * The evidence block in a text that a model was given, from its heading to its end marker, which some clients get in
 * square brackets.
 *
 * Contract: throws, showing the end of the text, if there is no block or its end marker does not match, as in a cut
 * block.
 */
export function findEvidence(text: string): string {
  const [block] = /【Auto Tools Results】[^<[]*[<[]gw-([0-9a-f]{12})[>\]][\s\S]*?[<[]\/gw-\1[>\]]/u.exec(text) ?? [];
  if (block === undefined) throw new Error(`no whole evidence block; the text ends: ${text.slice(-TAIL_CHARS)}`);
  return block;
}

/** Returns all text that a model received in a request. */
export function toldIn(request: RecordedRequest | undefined): string {
  return (request?.messages ?? []).flatMap(({ texts }) => texts).join("\n");
}

/** Number of evidence blocks in a text. */
export const countEvidence = (text: string): number => text.split(HEADING).length - 1;

/** Returns the requests whose conversation contains the prompt as typed, in order of arrival. */
export const requestsWith = (requests: readonly RecordedRequest[], prompt: string): RecordedRequest[] =>
  requests.filter((request) => toldIn(request).includes(prompt));

/** Expects the prompt as typed and one complete evidence block in every request with the prompt. */
export function expectEvidenceOnce(requests: readonly RecordedRequest[], prompt: string): void {
  const carriers = requestsWith(requests, prompt);
  expect(carriers, "no request has the prompt as it was typed").not.toEqual([]);
  for (const request of carriers) {
    const told = toldIn(request);
    expect(countEvidence(told)).toBe(1);
    expect(findEvidence(told)).toContain(DECISIVE_FILE);
  }
}

/** Expects that the prompt reached the model as typed, without any evidence. */
export function expectPlainPrompt(requests: readonly RecordedRequest[], prompt: string): void {
  const carriers = requestsWith(requests, prompt);
  expect(carriers, "no request has the prompt as it was typed").not.toEqual([]);
  expect(carriers.map((request) => countEvidence(toldIn(request)))).toEqual(carriers.map(() => 0));
}
