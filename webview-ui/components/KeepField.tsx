import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PlanRequestView } from '../../src/core/protocol/planView';
import { useStore, useWords } from '../context';
import { Button, TextField } from '../controls';

/** Newest messages that a full compaction keeps; another number makes another preview. */
export function KeepField({ request }: { readonly request: PlanRequestView }): VNode {
  const { compaction, settings } = useStore();
  const { t } = useWords();
  const present = request.keepMessages ?? settings.value.keepMessages;
  const [text, setText] = useState(String(present));
  const wanted = /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;
  return (
    <div class="field">
      <TextField testId="keep-messages" value={text} onInput={setText}>
        {t('preview.keepLabel')}
      </TextField>
      <Button
        testId="preview-again"
        disabled={wanted === undefined || wanted === present}
        onClick={() => {
          if (wanted !== undefined) compaction.preview({ kind: 'full', keepMessages: wanted });
        }}
      >
        {t('preview.again')}
      </Button>
    </div>
  );
}
