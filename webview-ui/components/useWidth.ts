import { useLayoutEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** Width of an element in pixels, kept up to date; `before` until it has been measured. */
export function useWidth(ref: RefObject<HTMLElement | null>, before: number): number {
  const [width, setWidth] = useState(before);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = (): void => setWidth(Math.round(element.clientWidth) || before);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [ref, before]);
  return width;
}
