import type { VNode } from "preact";
import type { RunDocument, StructuredFinding } from "../../contract/run-document.ts";
import { usePage } from "./page-context.ts";
import { Bar, Empty, Place, Section } from "./parts.tsx";
import { Visible, VisibleLine } from "./plain.tsx";
import { readSnippets, type Snippet } from "./snippets.ts";

/** Lists the findings of a run with their sources and quoted lines. */
export function Findings({ document, root }: { readonly document: RunDocument; readonly root: string }): VNode {
  const { t, format } = usePage();
  const { findings = [], task_context } = document.fused_context.for_model.structured;
  const snippets = readSnippets(task_context?.relevant_snippets ?? []);
  const left = new Set(snippets);
  const take = (finding: StructuredFinding) => {
    const own = [...left].find((snippet) => isOf(snippet, finding));
    if (own !== undefined) left.delete(own);
    return own;
  };
  return (
    <Section title={t.findings} aside={findings.length === 0 ? undefined : format.number(findings.length)}>
      {findings.length === 0 && <Empty>{t.noFindings}</Empty>}
      <ol class="findings" data-part="findings">
        {findings.map((finding, at) => {
          const snippet = take(finding);
          return (
            <li key={at}>
              <div class="finding-line">
                {finding.path !== "" && <Place root={root} path={finding.path} line={finding.line} />}
                {finding.symbol !== "" && (
                  <span class="symbol">
                    <VisibleLine text={finding.symbol} />
                  </span>
                )}
                <span class="finding-source">
                  <VisibleLine text={finding.tool} max={80} />
                </span>
                <span class="confidence" title={t.confidence}>
                  <Bar share={finding.confidence} />
                  <span class="figure">{finding.confidence.toFixed(2)}</span>
                </span>
              </div>
              {finding.summary !== "" && (
                <p class="finding-summary">
                  <VisibleLine text={finding.summary} max={500} />
                </p>
              )}
              {finding.conflict && <p class="warning">{t.conflict}</p>}
              {snippet !== undefined && <Lines snippet={snippet} />}
            </li>
          );
        })}
      </ol>
      {[...left].map((snippet, at) => (
        <div key={at}>
          <p class="finding-line">
            <Place root={root} path={snippet.file} line={snippet.startLine} />
          </p>
          <Lines snippet={snippet} />
        </div>
      ))}
    </Section>
  );
}

function isOf({ file, startLine, lines }: Snippet, { path, line }: StructuredFinding): boolean {
  return file === path && line !== null && line >= startLine && line < startLine + lines.length;
}

function Lines({ snippet }: { readonly snippet: Snippet }): VNode {
  const { t } = usePage();
  return (
    <section class="lines" aria-label={t.quoted}>
      <table>
        <tbody>
          {snippet.lines.map((line, at) => (
            <tr key={at}>
              <td class="line-number">{snippet.startLine + at}</td>
              <td class="line-text">
                <Visible text={line} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
