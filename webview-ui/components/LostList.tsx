import type { VNode } from 'preact';
import type { LostItemView, LostView } from '../../src/core/protocol/planView';
import { useStore, useWords } from '../context';
import { Badge } from '../controls';
import { Icon } from './Icon';
import { Outside } from './Outside';

export interface LostListProps {
  readonly lost: LostView;
  /** `preview` tells of the offline summary, `after` of a copy that was written. */
  readonly when: 'preview' | 'after';
  /** A model is to write the summary, which may lose other things. */
  readonly isModel?: boolean;
}

/** What a compaction loses, by kind with counts; each value leads to its message. */
export function LostList({ lost, when, isModel = false }: LostListProps): VNode {
  const { t, exact } = useWords();
  if (lost.count === 0) {
    return (
      <p class="hint" data-testid="lost" data-count={0}>
        {t(when === 'after' ? 'lost.noneAfter' : 'lost.none')}
      </p>
    );
  }
  return (
    <details class="fold" data-testid="lost" data-count={lost.count}>
      <summary>
        <Icon name="chevron" />
        {t(when === 'after' ? 'lost.titleAfter' : 'lost.title')} <Badge>{exact(lost.count)}</Badge>
      </summary>
      <p class="hint">{t(isModel ? 'lost.hintModel' : 'lost.hint')}</p>
      <div class="lost">
        {lost.groups.map(({ kind, count, items }) => (
          <div key={kind} data-kind={kind}>
            <h3 id={`lost-${when}-${kind}`}>
              {t(`lost.${kind}`)} <span class="muted">{exact(count)}</span>
            </h3>
            <ul aria-labelledby={`lost-${when}-${kind}`}>
              {items.map((item, index) => (
                <Item key={index} item={item} />
              ))}
              {count > items.length ? <li class="muted">{t('lost.more', { count: exact(count - items.length) })}</li> : null}
            </ul>
          </div>
        ))}
      </div>
    </details>
  );
}

function Item({ item }: { readonly item: LostItemView }): VNode {
  const { selection } = useStore();
  const { t } = useWords();
  const { index, value } = item;
  return (
    <li>
      {index === null ? null : (
        <button
          type="button"
          class="link number"
          title={t('lost.show', { index })}
          aria-label={t('lost.show', { index })}
          onClick={() => selection.show(index)}
        >
          #{index}
        </button>
      )}
      <span class="lost-value">
        <Outside text={value} />
      </span>
    </li>
  );
}
