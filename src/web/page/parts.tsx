import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { RunOutcome } from "../../contract/run-history.ts";
import type { ApiError } from "./api.ts";
import { toEditorLink } from "./editor-link.ts";
import { usePage } from "./page-context.ts";
import { VisibleLine } from "./plain.tsx";
import { wordOf } from "./texts.ts";

/** A section of a page with its title. */
export function Section(props: {
  readonly title: string;
  /** Content beside the title. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section class={`section ${props.class ?? ""}`}>
      <header class="section-head">
        <h2>{props.title}</h2>
        {props.aside !== undefined && <div class="aside">{props.aside}</div>}
      </header>
      {props.children}
    </section>
  );
}

/** Shows the outcome of a run as a dot and a word. */
export function Outcome({ outcome }: { readonly outcome: RunOutcome }): VNode {
  const { t } = usePage();
  return <span class={`outcome outcome-${outcome}`}>{wordOf(t.outcomes, outcome)}</span>;
}

/** Shows a share of a whole as a bar; `tone` selects its colour. */
export function Bar({ share, tone = "" }: { readonly share: number; readonly tone?: string }): VNode {
  const width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return (
    <svg class={`bar ${tone}`} aria-hidden="true">
      <rect class="bar-ground" width="100%" height="100%" rx="2" />
      <rect class="bar-fill" width={width} height="100%" rx="2" />
    </svg>
  );
}

/** Shows the data of a picture as a collapsible table. */
export function AsTable(props: {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}): VNode {
  const { t } = usePage();
  return (
    <details class="as-table">
      <summary>{t.as.table}</summary>
      <div class="scroll">
        <table class="figures-table">
          <thead>
            <tr>
              {props.heads.map((head) => (
                <th key={head}>{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {props.rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** A place in code, as a link to the editor if one is configured. */
export function Place(props: { readonly root: string; readonly path: string; readonly line: number | null }): VNode {
  const { state } = usePage();
  const text = props.line === null ? props.path : `${props.path}:${props.line}`;
  const link = toEditorLink(state.editor_link, props.root, props.path, props.line);
  if (link === null)
    return (
      <span class="place">
        <VisibleLine text={text} />
      </span>
    );
  return (
    <a class="place" href={link}>
      <VisibleLine text={text} />
    </a>
  );
}

/** An element of a drawing, a link if it has a target; the keyboard can focus it in either case. */
export function SvgLink(props: {
  readonly class: string;
  readonly link: string | null;
  readonly label: string;
  readonly onLook?: () => void;
  readonly onLeave?: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const shared = {
    class: props.class,
    "aria-label": props.label,
    onPointerEnter: () => props.onLook?.(),
    onPointerLeave: () => props.onLeave?.(),
    onFocus: () => props.onLook?.(),
    onBlur: () => props.onLeave?.(),
  };
  if (props.link === null)
    return (
      <g {...shared} tabindex={0}>
        {props.children}
      </g>
    );
  return (
    <a {...shared} href={props.link}>
      {props.children}
    </a>
  );
}

/** A command to copy. */
export function Command({ label, command }: { readonly label: string; readonly command: string }): VNode {
  const { t } = usePage();
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(command).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <div class="command">
      <span class="command-label">{label}</span>
      <code data-command={label}>
        <VisibleLine text={command} max={2_000} />
      </code>
      <button type="button" onClick={copy} onBlur={() => setCopied(false)}>
        {isCopied ? t.copied : t.copy}
      </button>
    </div>
  );
}

/** Shows why a request failed. */
export function Trouble({ error }: { readonly error: ApiError }): VNode {
  const { t } = usePage();
  const said = { 0: t.noAnswer, 401: t.noToken, 404: t.notThere }[error.status] ?? t.failed(error.message);
  return (
    <p class="empty" role="alert">
      {said}
    </p>
  );
}

/** Properties of something, by name. */
export function FactList({ facts }: { readonly facts: readonly (readonly [name: string, value: string])[] }): VNode {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <VisibleLine text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Placeholder for missing content. */
export function Empty({ children }: { readonly children: ComponentChildren }): VNode {
  return <p class="empty">{children}</p>;
}

/** A labelled list with one selected value. */
export function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}): VNode {
  return (
    <label class="choice">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChoose(event.currentTarget.value)}>
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
