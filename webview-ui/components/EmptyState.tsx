import type { VNode } from 'preact';
import { useStore, useWords } from '../context';
import { Button } from '../controls';

/** What stands where there is nothing to show yet: a sentence, and a way to another session. */
export function EmptyState({ text }: { readonly text: string }): VNode {
  const { pickSession } = useStore();
  const { t } = useWords();
  return (
    <div class="empty" data-testid="empty">
      <p>{text}</p>
      <Button onClick={pickSession}>{t('header.sessions')}</Button>
    </div>
  );
}
