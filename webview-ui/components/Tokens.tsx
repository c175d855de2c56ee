import type { VNode } from 'preact';
import type { ViewMeasurement } from '../../src/core/protocol/viewModel';
import { useWords } from '../context';
import { SIGNS } from '../format';

/** A count of tokens, short, with the exact number as its tooltip. */
export function Tokens({ count }: { readonly count: number }): VNode {
  const { tokens, exact } = useWords();
  return <span title={exact(count)}>{tokens(count)}</span>;
}

/** The sign for where a number comes from, with its meaning as tooltip and for screen readers. */
export function Sign({ measurement }: { readonly measurement: ViewMeasurement }): VNode {
  const { t } = useWords();
  return (
    <span class="sign" role="img" aria-label={t(`sign.${measurement}`)} title={t(`signHint.${measurement}`)}>
      {SIGNS[measurement]}
    </span>
  );
}
