import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { HistoryEntryView } from '../../src/core/protocol/planView';
import { useStore, useWords } from '../context';
import { visibleText } from '../outsideText';
import type { PageClient } from '../rpc';
import type { Words } from '../words';
import { Icon } from './Icon';
import { Outside } from './Outside';
import { useGridKeys, type GridKeys } from './useGridKeys';

/** Compactions with what can be done about each; newest first. One tab stop. */
export function HistoryList({ entries }: { readonly entries: readonly HistoryEntryView[] }): VNode {
  const { t } = useWords();
  const [said, say] = useState('');
  const grid = useGridKeys<HTMLDivElement>(entries.length);
  return (
    <>
      <div class="history" role="grid" aria-label={t('history.title')} ref={grid.ref} onKeyDown={grid.onKeyDown} onFocusIn={grid.onFocusIn}>
        {entries.map((entry, row) => (
          <Entry key={entry.id} entry={entry} row={row} grid={grid} onSaid={say} />
        ))}
      </div>
      <p class="hint" role="status" data-testid="history-said">
        {said}
      </p>
    </>
  );
}

interface EntryProps {
  readonly entry: HistoryEntryView;
  readonly row: number;
  readonly grid: GridKeys<HTMLDivElement>;
  readonly onSaid: (text: string) => void;
}

function Entry({ entry, row, grid, onSaid }: EntryProps): VNode {
  const words = useWords();
  const { t, tokens } = words;
  const { copy, source } = entry;
  const actions = useActions(entry, onSaid);
  return (
    <div role="row" class="history-row" data-testid="history-entry" data-id={entry.id} data-copy={copy} data-source={source}>
      <div role="gridcell" class="history-words">
        <p>
          <strong>{t(`history.kind.${entry.kind}`)}</strong> <span class="muted">{visibleText(words.time(entry.createdAt))}</span>
        </p>
        <p>
          {tokens(entry.tokensBefore)} → {tokens(entry.tokensAfter)} <span class="muted">· {madeBy(entry, words)}</span>
        </p>
        <p class="history-file muted">
          {t(entry.role === 'original' ? 'history.copyIs' : 'history.originalIs')}{' '}
          <Outside text={entry.role === 'original' ? entry.fileName : entry.sourceName} />
        </p>
        {copy === 'present' ? null : <State tone={copy === 'missing' ? 'error' : 'warning'} text={t(`history.copy.${copy}`)} />}
        {source === 'present' ? null : <State tone={source === 'missing' ? 'error' : 'muted'} text={t(`history.source.${source}`)} />}
      </div>
      <div role="gridcell" class="history-buttons">
        {actions.map(({ name, text, title, act }, column) => (
          <button type="button" class="link" key={name} {...grid.cell(row, column)} data-action={name} title={title} onClick={act}>
            {text}
          </button>
        ))}
        {actions.length === 0 ? <span class="muted">{t('history.nothingLeft')}</span> : null}
      </div>
    </div>
  );
}

function State({ tone, text }: { readonly tone: 'warning' | 'error' | 'muted'; readonly text: string }): VNode {
  return (
    <p class="history-state">
      <Icon name={tone === 'muted' ? 'info' : tone === 'error' ? 'cross' : 'alert'} tone={tone} /> {text}
    </p>
  );
}

interface Action {
  readonly name: string;
  readonly text: string;
  readonly title: string | undefined;
  readonly act: () => void;
}

/** What the state of the two files allows. */
function useActions({ id, copy, source, role, resume }: HistoryEntryView, onSaid: (text: string) => void): readonly Action[] {
  const { act, history } = useStore();
  const { t } = useWords();
  const send = (what: (client: PageClient, handle: string) => Promise<unknown>, then = ''): (() => void) => {
    return () => act((client, handle) => what(client, handle).then(() => onSaid(then)));
  };
  const undo = (): void =>
    act(async (client, handle) => {
      const { outcome, message } = await client.request('history/undo', { handle, id });
      onSaid(message !== null ? visibleText(message) : outcome === 'undone' ? t('history.undone') : '');
      history.load();
    });
  const hasCopy = copy !== 'missing';
  const hasSource = source !== 'missing';
  const command = resume === null ? undefined : visibleText(resume);
  const all: readonly (Action & { readonly isOffered: boolean })[] = [
    {
      name: 'open',
      text: t('run.open'),
      title: undefined,
      isOffered: hasCopy && role === 'original',
      act: send((client, handle) => client.request('copy/open', { handle, newSessionId: id })),
    },
    {
      name: 'compare',
      text: t('history.compare'),
      title: undefined,
      isOffered: hasCopy && hasSource,
      act: send((client, handle) => client.request('history/compare', { handle, id })),
    },
    { name: 'undo', text: t('history.undo'), title: t('history.undoHint'), isOffered: hasCopy, act: undo },
    {
      name: 'again',
      text: t('history.again'),
      title: t('history.againHint'),
      isOffered: hasSource,
      act: send((client, handle) => client.request('history/again', { handle, id })),
    },
    {
      name: 'resume',
      text: t('run.resume'),
      title: command,
      isOffered: hasCopy && resume !== null,
      act: send((client, handle) => client.request('copy/resume', { handle, newSessionId: id }), t('run.resumeCopied')),
    },
    {
      name: 'run',
      text: t('run.terminal'),
      title: command,
      isOffered: hasCopy && resume !== null,
      act: send((client, handle) => client.request('copy/run', { handle, newSessionId: id })),
    },
  ];
  return all.filter(({ isOffered }) => isOffered);
}

function madeBy({ kind, summarizer, model, usd }: HistoryEntryView, { t, usd: money }: Words): string {
  const who =
    kind === 'micro' ? t('history.noSummary') : summarizer === 'offline' ? t('history.offline') : visibleText(model ?? t('header.noModel'));
  return usd === null || summarizer === 'offline' ? who : `${who} · ${money(usd)}`;
}
