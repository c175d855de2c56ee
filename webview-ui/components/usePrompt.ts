import { useState } from 'preact/hooks';
import { useStore, useWords } from '../context';
import { visibleText } from '../outsideText';
import type { RunOptions } from '../planning';

export interface Prompt {
  readonly isBusy: boolean;
  /** What came of the last try. */
  readonly said: string;
  readonly copy: (planId: string, options: RunOptions) => void;
}

/** Copies the new context for another agent; a model may take a while for it. */
export function usePrompt(): Prompt {
  const { act } = useStore();
  const { t } = useWords();
  const [isBusy, setBusy] = useState(false);
  const [said, say] = useState('');
  return {
    isBusy,
    said,
    copy(planId, { summarizer, instructions, detail, putBack }) {
      setBusy(true);
      say(t('prompt.working'));
      act((client, handle) =>
        client
          .request('compaction/prompt', { handle, planId, summarizer, instructions, detail, putBack })
          .then(
            ({ message }) => say(visibleText(message)),
            (error: unknown) => {
              say('');
              throw error;
            },
          )
          .finally(() => setBusy(false)),
      );
    },
  };
}
