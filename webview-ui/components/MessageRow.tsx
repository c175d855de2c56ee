import type { VNode } from 'preact';
import type { BoundaryView, Category, RowView } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import { visibleText } from '../outsideText';
import { triggerText } from '../triggerText';
import type { Words } from '../words';
import { Box, share } from './Box';
import { fillClass } from './CategoryBar';
import { Icon, ROW_ICONS } from './Icon';
import { Outside } from './Outside';
import { Sign, Tokens } from './Tokens';

export interface MessageRowProps {
  readonly index: number;
  readonly count: number;
  /** Undefined until it has been read. The element stays the same then, so that it keeps the focus. */
  readonly row: RowView | undefined;
  readonly handle: string;
  readonly maxTokens: number;
  /** The boundary that stands at this row. */
  readonly boundary: BoundaryView | undefined;
  readonly isSelected: boolean;
  readonly isTabStop: boolean;
  /** Would be summarized by the plan that is shown. */
  readonly isPlanned: boolean;
}

/** One message: number, kind, first words, weight. A boundary is drawn as a divider. Its menu is VS Code's. */
export function MessageRow(props: MessageRowProps): VNode {
  const { index, row, boundary } = props;
  const { highlight } = useStore();
  const words = useWords();
  return (
    <Box
      vars={{ '--index': String(index) }}
      class={classesOf(props, highlight.value)}
      role="option"
      tabIndex={props.isTabStop ? 0 : -1}
      aria-selected={props.isSelected}
      aria-posinset={index + 1}
      aria-setsize={props.count}
      aria-busy={row === undefined}
      data-index={index}
      data-testid={row === undefined ? undefined : 'row'}
      data-id={row?.id}
      data-active={row?.active}
      data-preserved={row?.preserved}
      data-planned={props.isPlanned}
      data-vscode-context={row === undefined ? undefined : menuContext(row, props)}
    >
      <span class="row-index">{index}</span>
      {row === undefined ? (
        <span class="row-pending">
          <Spoken text={words.t('messages.loading')} />
        </span>
      ) : (
        <>
          <Icon name={boundary === undefined ? ROW_ICONS[row.kind] : 'fold'} />
          {boundary === undefined ? (
            <Message row={row} maxTokens={props.maxTokens} isPlanned={props.isPlanned} />
          ) : (
            <Divider boundary={boundary} />
          )}
          <span class="row-menu" data-action="menu" title={words.t('row.menu')} aria-hidden="true">
            <Icon name="dots" />
          </span>
        </>
      )}
    </Box>
  );
}

function classesOf({ row, boundary, isSelected, isPlanned }: MessageRowProps, highlight: Category | undefined): string {
  const isDivider = boundary !== undefined || row?.kind === 'boundary';
  const names = new Map([
    ['is-boundary', isDivider],
    ['is-out', row !== undefined && !row.active && !isDivider],
    ['is-selected', isSelected],
    ['is-planned', isPlanned],
    ['is-lit', row !== undefined && row.active && row.category === highlight],
  ]);
  return ['row', ...[...names].filter(([, holds]) => holds).map(([name]) => name)].join(' ');
}

interface MessageProps {
  readonly row: RowView;
  readonly maxTokens: number;
  readonly isPlanned: boolean;
}

/** The parts of a row in the order in which they are read out; what the eye sees by icon, tint and shade is spoken in words. */
function Message({ row, maxTokens, isPlanned }: MessageProps): VNode {
  const { t } = useWords();
  const { pinned } = useStore();
  const notes = [
    t('gauge.tokens'),
    t(row.active ? 'row.inContext' : 'row.outOfContext'),
    ...(row.preserved ? [t('row.preserved')] : []),
    ...(isPlanned ? [t('row.toBeSummarized')] : []),
  ];
  return (
    <>
      <Spoken text={t(`kind.${row.kind}`)} />
      <span class="row-text" title={visibleText(row.label === '' ? row.preview : `${row.label} ${row.preview}`)}>
        {row.label === '' ? null : (
          <span class="row-label">
            <Outside text={row.label} />{' '}
          </span>
        )}
        <Outside text={row.preview} />
      </span>
      {row.isError ? <Mark icon="cross" tone="error" text={t('row.error')} /> : null}
      {row.active && pinned.value.has(row.id) ? <Mark icon="pin" tone="muted" text={t('row.pinned')} /> : null}
      {row.hasMedia ? <Mark icon="image" tone="muted" text={t('row.media')} /> : null}
      {row.preserved ? <span class="row-kept" title={t('row.preserved')} /> : null}
      <span class="row-bar" aria-hidden="true">
        <Box class={`fill ${fillClass(row.category)}`} vars={{ '--length': share(row.tokens, maxTokens) }} />
      </span>
      <span class="number row-tokens">
        <Tokens count={row.tokens} />
      </span>
      <Sign measurement={row.measurement} />
      <Spoken text={notes.join(', ')} />
    </>
  );
}

/** Words for screen readers alone. */
function Spoken({ text }: { readonly text: string }): VNode {
  return <span class="visually-hidden"> {text} </span>;
}

function Mark({
  icon,
  tone,
  text,
}: {
  readonly icon: 'cross' | 'image' | 'pin';
  readonly tone: 'error' | 'muted';
  readonly text: string;
}): VNode {
  return (
    <span class="row-mark" title={text}>
      <Icon name={icon} tone={tone} />
      <Spoken text={text} />
    </span>
  );
}

function Divider({ boundary }: { readonly boundary: BoundaryView }): VNode {
  const words = useWords();
  return (
    <>
      <span class="row-text">
        <strong>{words.t('kind.boundary')}</strong> <span class="muted">{dividerText(boundary, words)}</span>
      </span>
      {boundary.valid ? null : <Mark icon="cross" tone="error" text={words.t('boundary.invalid')} />}
      <span class="row-inspect" data-action="inspect" aria-hidden="true">
        {words.t('row.inspect')}
      </span>
    </>
  );
}

function dividerText({ trigger, preTokens, postTokens, preserved }: BoundaryView, words: Words): string {
  const { t, tokens } = words;
  const size = (count: number | null): string => (count === null ? '?' : tokens(count));
  const parts = [triggerText(trigger, words)];
  if (preTokens !== null || postTokens !== null) parts.push(`${size(preTokens)} → ${size(postTokens)}`);
  if (preserved !== null) parts.push(t('boundary.preservedCount', { count: preserved.count }));
  return parts.join(' · ');
}

/** What VS Code's menu gets to know of the row: ids, which the host looks up. */
function menuContext(row: RowView, { boundary, handle }: MessageRowProps): string {
  return JSON.stringify({
    webviewSection: boundary === undefined && row.kind !== 'boundary' ? 'message' : 'boundary',
    // A result in the context can be cleared.
    canClear: row.active && row.kind === 'toolResult',
    messageId: row.id,
    handle,
    canCompact: row.canCompact,
    preventDefaultContextMenuItems: true,
  });
}
