import type { VNode } from 'preact';
import type { WindowState } from '../../src/core/protocol/viewModel';
import { useWords } from '../context';
import { Icon, STATE_ICONS } from './Icon';

/** How full the window is, as an icon and a word; the colour only repeats them. */
export function StateChip({ state }: { readonly state: WindowState }): VNode {
  return (
    <span class={`state state-${state}`} data-state={state}>
      <Icon name={STATE_ICONS[state]} tone={state} />
      {useWords().t(`state.${state}`)}
    </span>
  );
}
