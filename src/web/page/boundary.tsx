import { Component, type ComponentChildren } from "preact";
import { PageValue } from "./page-context.ts";

/** Keeps a part that cannot be drawn from taking the whole page with it. */
export class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly why: string | null }> {
  override state = { why: null };

  override componentDidCatch(thrown: unknown): void {
    this.setState({ why: String(thrown) });
  }

  /** The part, or why there is none. */
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
