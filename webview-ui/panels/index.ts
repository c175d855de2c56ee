// The registry: one line per file of this folder. The order is the one in a narrow window.
import type { Panel } from '../panel';
import { boundaries } from './boundaries';
import { compaction } from './compaction';
import { diagnostics } from './diagnostics';
import { history } from './history';
import { overview } from './overview';
import { projection } from './projection';
import { sidechains } from './sidechains';
import { timeline } from './timeline';
import { toolResults } from './toolResults';
import { transcript } from './transcript';

export const PANELS = [
  overview,
  timeline,
  transcript,
  compaction,
  toolResults,
  projection,
  boundaries,
  history,
  sidechains,
  diagnostics,
] as const satisfies readonly Panel[];
