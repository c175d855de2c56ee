import type { ComponentChildren, VNode } from 'preact';
import { Badge } from '../controls';
import { Icon } from './Icon';

export interface PaneProps {
  readonly id: string;
  readonly title: string;
  /** A count beside the title; nothing when undefined. */
  readonly count?: string | undefined;
  readonly note?: string | undefined;
  /** Open or closed at first; without it the pane cannot be closed. */
  readonly initiallyOpen?: boolean;
  readonly testId?: string;
  readonly children: ComponentChildren;
}

/** A framed part of the page with a heading; closable like VS Code's own sections where `initiallyOpen` is given. */
export function Pane({ id, title, count, note, initiallyOpen, testId, children }: PaneProps): VNode {
  const heading = (
    <>
      <h2 id={`${id}-title`}>{title}</h2>
      {count === undefined ? null : <Badge>{count}</Badge>}
      {note === undefined ? null : <span class="pane-note">{note}</span>}
    </>
  );
  if (initiallyOpen === undefined) {
    return (
      <section class="card pane" aria-labelledby={`${id}-title`} data-testid={testId}>
        <div class="pane-head">{heading}</div>
        {children}
      </section>
    );
  }
  return (
    <details class="card pane" open={initiallyOpen} data-testid={testId}>
      <summary class="pane-head">
        <Icon name="chevron" />
        {heading}
      </summary>
      {children}
    </details>
  );
}
