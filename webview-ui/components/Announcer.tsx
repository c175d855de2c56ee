import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { GaugeView, WindowState } from '../../src/core/protocol/viewModel';
import { useWords } from '../context';
import { gaugeSpeech } from './TokenGauge';

/** Speaks when the state of the window changes, and only then: not at each new number, and not at the first. */
export function Announcer({ gauge }: { readonly gauge: GaugeView }): VNode {
  const words = useWords();
  const before = useRef<WindowState>(gauge.state);
  const [text, setText] = useState('');
  useEffect(() => {
    if (before.current === gauge.state) return;
    before.current = gauge.state;
    setText(gaugeSpeech(gauge, words));
  });
  return (
    <p class="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
      {text}
    </p>
  );
}
