import { Component, type ComponentChildren } from "preact";
import { PageValue } from "./page-context.ts";

/** Keeps a rendering error in one part from breaking the whole page. */
export class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly why: string | null }> {
  override state = { why: null };

  override componentDidCatch(thrown: unknown): void {
    this.setState({ why: String(thrown) });
  }

  /** Renders the part, or the error that it has thrown. */
  override render(): ComponentChildren {
    const { why } = this.state;
    if (why === null) return this.props.children;
    return (
      <PageValue.Consumer>
        {(page) => (
          <p class="empty" role="alert">
            {page?.t.failed(why)}
          </p>
        )}
      </PageValue.Consumer>
    );
  }
}
