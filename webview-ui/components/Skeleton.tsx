import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useWords } from '../context';

/** A session that is read at once must not flash a placeholder. */
const DELAY_MS = 200;

/** Placeholder of the page while the session is read, drawn only when that takes a moment. */
export function Skeleton(): VNode {
  const { t } = useWords();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), DELAY_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div class="skeleton" role="status" aria-busy="true">
      {isLate ? (
        <>
          <p>{t('app.loading')}</p>
          <div class="skeleton-block is-tall" />
          <div class="skeleton-block" />
        </>
      ) : null}
    </div>
  );
}
