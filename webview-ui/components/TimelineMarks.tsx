import type { VNode } from 'preact';
import type { TimelineMarkView, TimelineView } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import type { Words } from '../words';
import { Icon, type IconName } from './Icon';
import { Tokens } from './Tokens';

type MarkKind = TimelineMarkView['kind'];

export const MARK_TONES = { jump: 'warning', drop: 'error', refill: 'autoCompact' } as const satisfies Record<MarkKind, string>;
const MARK_ICONS = { jump: 'alert', drop: 'minus', refill: 'fold' } as const satisfies Record<MarkKind, IconName>;

/** What the messages do not explain, newest first, each with its likely cause and a way to its message. */
export function TimelineMarks({ timeline }: { readonly timeline: TimelineView }): VNode {
  const { selection } = useStore();
  const words = useWords();
  const { t, exact } = words;
  if (timeline.marks.length === 0) return <p class="muted timeline-none">{t('timeline.noMarks')}</p>;
  return (
    <ul class="timeline-marks" aria-label={t('timeline.marks')}>
      {[...timeline.marks].reverse().map((mark) => (
        <li key={mark.index} data-mark={mark.kind} data-cause={mark.cause}>
          <Icon name={MARK_ICONS[mark.kind]} tone={MARK_TONES[mark.kind]} />
          <span class="timeline-mark-text">
            <strong>{titleOf(mark, words)}</strong>: {causeOf(mark, words)}
          </span>
          <button
            type="button"
            class="link"
            aria-label={t('timeline.show', { index: exact(mark.index) })}
            onClick={() => selection.show(mark.index)}
          >
            #{exact(mark.index)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The same as a table: one row for each point that is drawn. */
export function TimelineTable({ timeline }: { readonly timeline: TimelineView }): VNode {
  const words = useWords();
  const { t, exact } = words;
  const marks = new Map(timeline.marks.map((mark) => [mark.index, mark]));
  return (
    <details class="counters">
      <summary>
        <Icon name="chevron" />
        {t('timeline.asTable')}
      </summary>
      <div class="timeline-table" role="region" aria-label={t('timeline.title')} tabIndex={0}>
        <table class="counter-table" aria-label={t('timeline.title')}>
          <thead>
            <tr>
              <th scope="col">{t('timeline.message')}</th>
              <th scope="col">{t('timeline.tokens')}</th>
              <th scope="col">{t('timeline.note')}</th>
            </tr>
          </thead>
          <tbody>
            {timeline.points.map((point, at) => {
              const mark = marks.get(point.index);
              const isAfter = at > 0 && timeline.points[at - 1]?.stretch !== point.stretch;
              const notes = [...(isAfter ? [t('timeline.compacted')] : []), ...(mark === undefined ? [] : [titleOf(mark, words)])];
              return (
                <tr key={point.index}>
                  <td class="number">{exact(point.index)}</td>
                  <td class="number">
                    <Tokens count={point.tokens} />
                  </td>
                  <td>{notes.join(', ')}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function titleOf(mark: TimelineMarkView, { t, tokens }: Words): string {
  return t(`timeline.${mark.kind}`, { tokens: tokens(mark.tokens) });
}

function causeOf(mark: TimelineMarkView, { t }: Words): string {
  switch (mark.kind) {
    case 'jump':
      return t(`jump.${mark.cause}`);
    case 'drop':
      return t(`drop.${mark.cause}`);
    case 'refill':
      return t(`refill.${mark.cause}`);
  }
}
