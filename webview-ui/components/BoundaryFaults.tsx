import type { VNode } from 'preact';
import type { ChainFaultView } from '../../src/core/protocol/boundaryReportView';
import { useWords } from '../context';
import { Icon } from './Icon';
import { Outside } from './Outside';

/** What does not fit together in the records around a compaction, each with what it means. */
export function BoundaryFaults({ faults }: { readonly faults: readonly ChainFaultView[] }): VNode {
  const { t } = useWords();
  if (faults.length === 0) {
    return (
      <p class="hint" data-testid="faults" data-count={0}>
        <Icon name="tick" tone="normal" /> {t('fault.none')}
      </p>
    );
  }
  return (
    <section class="report-part" aria-label={t('fault.title')} data-testid="faults" data-count={faults.length}>
      <p class="report-head">{t('fault.title')}</p>
      <ul class="faults">
        {faults.map(({ kind, ids }, index) => (
          <li key={index} data-fault={kind}>
            <Icon name="alert" tone="warning" />
            <div>
              {t(`fault.${kind}`)}
              {ids.length === 0 ? null : (
                <p class="fault-ids muted">
                  {t('fault.ids')}{' '}
                  {ids.map((id, at) => (
                    <span key={at}>
                      <Outside text={id} />
                    </span>
                  ))}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
