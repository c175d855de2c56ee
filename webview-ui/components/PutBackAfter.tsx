import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { putBackOf } from '../compaction';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import type { Notice, WrittenRun } from '../flow';
import { PlanNotices } from './PlanNotices';

/** Writes another copy of a finished run, whose summary quotes the ticked items as well. */
export function PutBackAfter({ run }: { readonly run: WrittenRun }): VNode {
  const { compaction, settings } = useStore();
  const { t, plural } = useWords();
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState<Notice | undefined>(undefined);
  const items = putBackOf(run.lost, compaction.ticked.value);
  const write = (): void => {
    setBusy(true);
    void compaction.putBack(items).then((came) => {
      setNotice(came);
      setBusy(false);
    });
  };
  return (
    <>
      <PlanNotices notice={notice} outdated={false} onAgain={write} />
      {items.length === 0 ? null : (
        <div class="buttons">
          <Button testId="put-back" disabled={isBusy || !settings.value.canAct} onClick={write}>
            {isBusy ? t('run.puttingBack') : plural('run.putBack', items.length)}
          </Button>
        </div>
      )}
    </>
  );
}
