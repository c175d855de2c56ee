import type { CaseAdapter } from '../caseTypes';
import { accounting } from './accounting';
import { boundary } from './boundary';
import { estimator } from './estimator';
import { invariants } from './invariants';
import { partial } from './partial';
import { reader } from './reader';
import { split } from './split';
import { webview } from './webview';
import { window } from './window';
import { writer } from './writer';

/** One adapter per component; a new component is one line here. */
export const ADAPTERS: readonly CaseAdapter[] = [
  invariants,
  split,
  window,
  accounting,
  estimator,
  partial,
  boundary,
  reader,
  writer,
  webview,
];
