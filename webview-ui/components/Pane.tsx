import type { ComponentChildren, RefObject, VNode } from 'preact';
import { Badge } from '../controls';
import { Icon } from './Icon';

export interface PaneProps {
  readonly id: string;
  readonly title: string;
  /** A count beside the title; nothing when undefined. */
  readonly count?: string | undefined;
  readonly note?: string | undefined;
  /** Open or closed at first; without it, and without `open`, the pane cannot be closed. */
  readonly initiallyOpen?: boolean;
  /** Open or closed as somebody else says; `onOpen` hears what the user wants. */
  readonly open?: boolean;
  readonly onOpen?: (isOpen: boolean) => void;
  readonly paneRef?: RefObject<HTMLDetailsElement | null>;
  readonly testId?: string;
  readonly children: ComponentChildren;
}

/** A framed part of the page with a heading; closable like VS Code's own sections where `initiallyOpen` or `open` is given. */
export function Pane({ id, title, count, note, initiallyOpen, open, onOpen, paneRef, testId, children }: PaneProps): VNode {
  const heading = (
    <>
      <h2 id={`${id}-title`}>{title}</h2>
      {count === undefined ? null : <Badge>{count}</Badge>}
      {note === undefined ? null : <span class="pane-note">{note}</span>}
    </>
  );
  const isOpen = open ?? initiallyOpen;
  if (isOpen === undefined) {
    return (
      <section class="card pane" aria-labelledby={`${id}-title`} data-testid={testId}>
        <div class="pane-head">{heading}</div>
        {children}
      </section>
    );
  }
  return (
    <details
      class="card pane"
      open={isOpen}
      data-testid={testId}
      {...(paneRef === undefined ? {} : { ref: paneRef })}
      onToggle={(event) => onOpen?.(event.currentTarget.open)}
    >
      <summary class="pane-head">
        <Icon name="chevron" />
        {heading}
      </summary>
      {children}
    </details>
  );
}
