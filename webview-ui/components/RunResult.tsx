import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { WrittenRun } from '../flow';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import { visibleText } from '../outsideText';
import type { PageClient } from '../rpc';
import { Icon } from './Icon';
import { LostList } from './LostList';
import { Outside, OutsideBlock } from './Outside';
import { PutBackAfter } from './PutBackAfter';

/** What a finished run has made, and what can be done with it. */
export function RunResult({ run, onClose }: { readonly run: WrittenRun; readonly onClose: () => void }): VNode {
  const { act, history, compaction } = useStore();
  const { t, tokens, percent } = useWords();
  const [said, say] = useState('');
  const [isUndone, setUndone] = useState(false);
  const { newSessionId } = run;
  const saved = run.tokensBefore - run.tokensAfter;
  const send = (what: (client: PageClient, handle: string) => Promise<unknown>, then = ''): void =>
    act((client, handle) => what(client, handle).then(() => say(then)));
  const undo = (): void =>
    act(async (client, handle) => {
      const { outcome, message } = await client.request('history/undo', { handle, id: newSessionId });
      if (outcome === 'undone') setUndone(true);
      say(message === null ? (outcome === 'undone' ? t('history.undone') : '') : visibleText(message));
      history.load();
    });
  return (
    <div class="result" data-testid="result" data-undone={isUndone}>
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
      {run.summary === '' ? null : (
        <details class="fold">
          <summary>
            <Icon name="chevron" />
            {t('run.summary')}
          </summary>
          <OutsideBlock text={run.summary} label={t('run.summary')} />
        </details>
      )}
      {run.kind === 'micro' ? null : <LostList lost={run.lost} when="after" ticked={isUndone ? undefined : compaction.ticked} />}
      {run.kind === 'micro' || isUndone ? null : <PutBackAfter run={run} />}
      <div class="buttons">
        {isUndone ? null : (
          <>
            <Button
              primary
              testId="open-copy"
              onClick={() => send((client, handle) => client.request('copy/open', { handle, newSessionId }))}
            >
              {t('run.open')}
            </Button>
            {run.resume === null ? null : (
              <>
                <Button
                  testId="copy-resume"
                  title={visibleText(run.resume)}
                  onClick={() => send((client, handle) => client.request('copy/resume', { handle, newSessionId }), t('run.resumeCopied'))}
                >
                  {t('run.resume')}
                </Button>
                <Button
                  testId="run-copy"
                  title={visibleText(run.resume)}
                  onClick={() => send((client, handle) => client.request('copy/run', { handle, newSessionId }))}
                >
                  {t('run.terminal')}
                </Button>
              </>
            )}
            <Button
              testId="compare-copy"
              onClick={() => send((client, handle) => client.request('history/compare', { handle, id: newSessionId }))}
            >
              {t('history.compare')}
            </Button>
            <Button testId="undo-copy" onClick={undo}>
              {t('history.undo')}
            </Button>
          </>
        )}
        <Button testId="cancel" onClick={onClose}>
          {t('preview.close')}
        </Button>
      </div>
      <p class="hint" role="status" data-testid="result-said">
        {said !== '' ? said : run.resume === null ? t('run.noResume') : t('preview.neverChanged')}
      </p>
    </div>
  );
}
