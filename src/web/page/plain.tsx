import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { sliceWhole } from "../../base/text.ts";
import { usePage } from "./page-context.ts";
import { splitVisible } from "./visible-text.ts";

/** Maximum length shown at once; browsers are slow with longer texts. */
const MAX_CHARS = 100_000;

/** Shows a text of any origin as plain text: invisible characters are made visible, and nothing in it takes effect. */
export function Visible({ text }: { readonly text: string }): VNode {
  return (
    <>
      {splitVisible(text).map((piece, at) => {
        if (piece.kind === "text") return piece.text;
        if (piece.kind === "mark")
          return (
            <mark key={at} class="taken">
              {piece.text}
            </mark>
          );
        return (
          <span key={at} class="control" data-name={piece.name} title={piece.name}>
            {piece.text}
          </span>
        );
      })}
    </>
  );
}

/** The same on one line, truncated to `max` characters. */
export function VisibleLine({ text, max = 300 }: { readonly text: string; readonly max?: number }): VNode {
  return <Visible text={text.length > max ? `${sliceWhole(text, max - 1)}…` : text} />;
}

/**
 * A text of any length in a block of its own. Contract: up to 100,000 characters, the block's text is exactly the text;
 * a longer text is truncated, with a note.
 */
export function TextBlock({ text, part, usual }: { text: string; part?: string; usual?: number }): VNode {
  const { t, format } = usePage();
  const [isWhole, setWhole] = useState(false);
  const most = isWhole ? MAX_CHARS : Math.min(usual ?? MAX_CHARS, MAX_CHARS);
  const isCut = text.length > most;
  return (
    <>
      <pre class="block" data-part={part}>
        <Visible text={isCut ? sliceWhole(text, most) : text} />
      </pre>
      {isCut && (
        <p class="note">
          {t.cutAt(format.number(most), format.number(text.length))}{" "}
          {!isWhole && text.length <= MAX_CHARS && (
            <button type="button" class="link" onClick={() => setWhole(true)}>
              {t.showAll(format.number(text.length))}
            </button>
          )}
        </p>
      )}
    </>
  );
}
