import type { Message } from '../../model/message';
import type { Diagnostic, FormatId, SessionTotals, Sidechain, Transcript } from '../../model/transcript';
import type { SessionFacts } from '../transcriptDraft';
import { sessionTranscript } from './sessionTranscript';
import type { StableNames } from './stableNames';

/** A run that is written as one JSON document. */
export interface Trajectory {
  readonly line: number;
  readonly messages: readonly Message[];
  readonly sidechains: readonly Sidechain[];
  readonly facts: SessionFacts;
  /** Undefined where each answer states its usage. */
  readonly totals: SessionTotals | undefined;
}

/** What stands for a value that is no run. */
export function noTrajectory(line: number): NoTrajectory {
  return { line, isOdd: true };
}

interface NoTrajectory {
  readonly line: number;
  readonly isOdd: true;
}

/** The last run of the values counts: such files are written whole. What an earlier one held is said to be left. */
export function trajectoryTranscript(
  format: FormatId,
  records: readonly (Trajectory | NoTrajectory)[],
  damage: readonly Diagnostic[],
  names: StableNames,
): Transcript {
  const diagnostics = [...damage];
  let last: Trajectory | undefined;
  for (const record of records) {
    if ('isOdd' in record) diagnostics.push({ line: record.line, code: 'unknown_record', severity: 'info' });
    else {
      if (last !== undefined && last.messages.length > 0) {
        diagnostics.push({ line: last.line, code: 'abandoned_branch', severity: 'info', detail: `${last.messages.length} messages` });
      }
      last = record;
    }
  }
  const { messages = [], sidechains = [], facts = {}, totals } = last ?? {};
  return sessionTranscript({ format, facts, messages, sidechains, totals, diagnostics }, names);
}
