import type { CaseAdapter } from '../caseTypes';
import { accounting } from './accounting';
import { auto } from './auto';
import { boundary } from './boundary';
import { budget } from './budget';
import { compactor } from './compactor';
import { estimator } from './estimator';
import { invariants } from './invariants';
import { micro } from './micro';
import { partial } from './partial';
import { privacy } from './privacy';
import { projection } from './projection';
import { prompt } from './prompt';
import { reactive } from './reactive';
import { reader } from './reader';
import { split } from './split';
import { store } from './store';
import { webview } from './webview';
import { window } from './window';
import { writer } from './writer';

/** One adapter per component; a new component is one line here. */
export const ADAPTERS: readonly CaseAdapter[] = [
  invariants,
  budget,
  store,
  micro,
  split,
  window,
  accounting,
  estimator,
  partial,
  boundary,
  reader,
  writer,
  webview,
  projection,
  compactor,
  auto,
  reactive,
  prompt,
  privacy,
];
