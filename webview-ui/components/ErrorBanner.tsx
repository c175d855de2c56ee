import type { ComponentChildren, VNode } from 'preact';
import { Icon } from './Icon';

export interface ErrorBannerProps {
  readonly title?: string;
  readonly text: string;
  readonly testId?: string;
  /** What can be done about it. */
  readonly children?: ComponentChildren;
}

/** Something that went wrong, as a sentence with the way out. */
export function ErrorBanner({ title, text, testId, children }: ErrorBannerProps): VNode {
  return (
    <div class="banner" role="alert" data-testid={testId}>
      <Icon name="cross" tone="error" />
      <div>
        {title === undefined ? null : <strong>{title}</strong>}
        <p>{text}</p>
        {children === undefined ? null : <div class="buttons">{children}</div>}
      </div>
    </div>
  );
}
