import type { VNode } from 'preact';
import type { BoundaryReportView } from '../../src/core/protocol/boundaryReportView';
import { useWords } from '../context';
import { CategoryBar } from './CategoryBar';
import { Sign, Tokens } from './Tokens';

/** The context right before and right after a compaction, as two bars of one scale. */
export function BoundarySizes({ report }: { readonly report: BoundaryReportView }): VNode {
  const { t, tokens, percent } = useWords();
  const { before, after, tokensBefore, tokensAfter } = report;
  const saved = tokensBefore - tokensAfter;
  const sign = saved >= 0 ? '−' : '+';
  const scale = Math.max(tokensBefore, tokensAfter, 1);
  return (
    <>
      {tokensBefore === 0 ? (
        <p class="hint">{t('report.noBefore')}</p>
      ) : (
        <p class="delta" data-testid="report-sizes" data-before={tokensBefore} data-after={tokensAfter}>
          <strong>
            {tokens(tokensBefore)} → {tokens(tokensAfter)}
          </strong>{' '}
          <span class="delta-saved">
            {sign}
            {tokens(Math.abs(saved))} ({sign}
            {percent((Math.abs(saved) / tokensBefore) * 100)})
          </span>{' '}
          <span class="provenance">
            <span>
              <Sign measurement="estimate" /> {t('preview.estimate')}
            </span>
          </span>
        </p>
      )}
      <div class="compare">
        {tokensBefore === 0 ? null : (
          <>
            <span class="muted">{t('preview.before')}</span>
            <CategoryBar parts={before} used={tokensBefore} scale={scale} />
            <span class="number">
              <Tokens count={tokensBefore} />
            </span>
          </>
        )}
        <span class="muted">{t('preview.after')}</span>
        <CategoryBar parts={after} used={tokensAfter} scale={scale} />
        <span class="number">
          <Tokens count={tokensAfter} />
        </span>
      </div>
      <PartsTable report={report} />
    </>
  );
}

/** The numbers of the bars, for those who cannot tell colours or want them exactly. */
function PartsTable({ report: { before, after } }: { readonly report: BoundaryReportView }): VNode {
  const { t } = useWords();
  const names = namesOf(before, after);
  const of = (parts: typeof before, name: (typeof names)[number]): number | undefined =>
    parts.find(({ category }) => category === name)?.tokens;
  return (
    <table class="counter-table report-parts" aria-label={t('fills.title')}>
      <thead>
        <tr>
          <th scope="col">{t('fills.category')}</th>
          <th scope="col">{t('preview.before')}</th>
          <th scope="col">{t('preview.after')}</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name} data-category={name}>
            <td>{t(`category.${name}`)}</td>
            <td class="number">
              <Tokens count={of(before, name) ?? 0} />
            </td>
            <td class="number">
              <Tokens count={of(after, name) ?? 0} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Categories of both lists in their common order. */
function namesOf(before: Parts, after: Parts): readonly Parts[number]['category'][] {
  const names = before.map(({ category }) => category);
  after.forEach(({ category }, at) => {
    if (names.includes(category)) return;
    const next = after.slice(at + 1).find((later) => names.includes(later.category))?.category;
    names.splice(next === undefined ? names.length : names.indexOf(next), 0, category);
  });
  return names;
}

type Parts = BoundaryReportView['before'];
