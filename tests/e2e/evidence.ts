const TAIL_CHARS = 3_000;

/**
 * The evidence block in a text that a model was given, from its heading to its end marker.
 *
 * Contract: throws, showing the end of the text, when there is no block or its end marker does not match, as in a cut
 * block.
 */
export function findEvidence(text: string): string {
  const [block] = /【Auto Tools Results】[^<]*<gw-([0-9a-f]{12})>[\s\S]*?<\/gw-\1>/u.exec(text) ?? [];
  if (block === undefined) throw new Error(`no whole evidence block; the text ends: ${text.slice(-TAIL_CHARS)}`);
  return block;
}
