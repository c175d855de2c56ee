import type { ComponentChildren, HTMLAttributes, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export type Vars = Readonly<Record<`--${string}`, string>>;

export interface BoxProps extends Omit<HTMLAttributes<HTMLDivElement>, 'style' | 'ref'> {
  readonly vars: Vars;
  readonly children?: ComponentChildren;
  /** Gets the element after each drawing. */
  readonly onElement?: (element: HTMLDivElement) => void;
}

/**
 * A box whose sizes come from data, as custom properties for the style sheet. They are set on the element's style object: the page's
 * policy forbids style attributes.
 */
export function Box({ vars, children, onElement, ...rest }: BoxProps): VNode {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    for (const [name, value] of Object.entries(vars)) element.style.setProperty(name, value);
    onElement?.(element);
  });
  return (
    <div {...rest} ref={ref}>
      {children}
    </div>
  );
}

/** Part of a whole as a percentage for the style sheet; 0 for nothing or for an unusable whole. */
export function share(part: number, whole: number): string {
  return whole > 0 ? `${Math.max(0, (part / whole) * 100)}%` : '0%';
}
