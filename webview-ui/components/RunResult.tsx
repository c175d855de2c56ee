import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { WrittenRun } from '../compaction';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import { visibleText } from '../outsideText';
import { Icon } from './Icon';
import { LostList } from './LostList';
import { Outside, OutsideBlock } from './Outside';

/** What a finished run has made, and what can be done with it. */
export function RunResult({ run }: { readonly run: WrittenRun }): VNode {
  const { act, compaction } = useStore();
  const { t, tokens, percent } = useWords();
  const [copied, setCopied] = useState(false);
  const { newSessionId } = run;
  const saved = run.tokensBefore - run.tokensAfter;
  return (
    <div class="result" data-testid="result">
      <dl class="facts">
        <dt>{t('run.file')}</dt>
        <dd class="is-whole">
          <Outside text={run.fileName} />
        </dd>
        <dt>{t('run.tokens')}</dt>
        <dd>
          <strong>
            {tokens(run.tokensBefore)} → {tokens(run.tokensAfter)}
          </strong>
          {run.tokensBefore > 0 && saved >= 0 ? ` (−${percent((saved / run.tokensBefore) * 100)})` : ''}
        </dd>
      </dl>
      <details class="fold">
        <summary>
          <Icon name="chevron" />
          {t('run.summary')}
        </summary>
        <OutsideBlock text={run.summary} label={t('run.summary')} />
      </details>
      <LostList lost={run.lost} when="after" />
      <div class="buttons">
        <Button primary testId="open-copy" onClick={() => act((client, handle) => client.request('copy/open', { handle, newSessionId }))}>
          {t('run.open')}
        </Button>
        {run.resume === null ? null : (
          <Button
            testId="copy-resume"
            title={visibleText(run.resume)}
            onClick={() => act((client, handle) => client.request('copy/resume', { handle, newSessionId }).then(() => setCopied(true)))}
          >
            {t('run.resume')}
          </Button>
        )}
        <Button testId="cancel" onClick={compaction.close}>
          {t('preview.close')}
        </Button>
      </div>
      <p class="hint" role="status">
        {copied ? t('run.resumeCopied') : run.resume === null ? t('run.noResume') : t('preview.neverChanged')}
      </p>
    </div>
  );
}
