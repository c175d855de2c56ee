// The view of a session that grows is the view of what stands in the file, whatever was seen of it on the way.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionPatch, SessionView } from '../../src/core/protocol/viewModel';
import { applyPatch } from '../../src/core/protocol/patch';
import { TranscriptReader } from '../../src/core/transcript/incrementalReader';
import { finish } from '../../src/core/util/steps';
import { rowView } from '../../src/core/view/rows';
import { follow, SessionStates, type SessionState, type StateInput } from '../../src/node/engine/sessionStates';
import { GrowingSession, steps, type Step } from '../support/growingSession';
import { property } from '../support/property';

const facts = { handle: 'h', fileName: 'session.jsonl', live: true, problem: undefined };
const settings = {};

/** A large session is measured by its newest contexts; here the same is done with a small one. */
function inputOf(reader: TranscriptReader, isLarge: boolean): StateInput {
  return { transcript: reader.snapshot(), settings, isLarge, facts };
}

function stateOf(bytes: Uint8Array, isLarge: boolean, revision: number): SessionState {
  const reader = new TranscriptReader({ format: 'claude-code' });
  reader.push(bytes);
  return finish(new SessionStates().first(inputOf(reader, isLarge), revision));
}

function rowsOf({ inspection, rowIndex, view }: SessionState, from = 0): readonly unknown[] {
  return Array.from({ length: view.rows.count - from }, (_, index) => rowView(inspection, rowIndex, from + index));
}

/** Without what depends on when messages were measured: those that left the measured contexts keep the size that they had then. */
function withoutOldSizes(state: SessionState): unknown {
  const { view } = state;
  const from = state.inspection.newest?.from ?? 0;
  const boundaries = view.boundaries.map((boundary) => (boundary.rowIndex < from ? { ...boundary, summaryTokens: null } : boundary));
  return { ...view, boundaries, rows: { ...view.rows, maxTokens: 0 } };
}

function isLook({ kind }: Step): boolean {
  return kind === 'look';
}

interface Look {
  readonly state: SessionState;
  readonly bytes: Uint8Array;
  /** The state before, and the patch that led from there; undefined where nothing had changed. */
  readonly before: SessionState | undefined;
  readonly patch: SessionPatch | undefined;
}

/** Grows a session and takes its state at each look and at the end. */
function grow(written: readonly Step[], isReported: boolean, check: (look: Look) => void): void {
  const session = new GrowingSession(isReported);
  const reader = new TranscriptReader({ format: 'claude-code' });
  const states = new SessionStates();
  let all = '';
  let before: SessionState | undefined;
  const end: Step = { kind: 'look', size: 0, at: 0 };
  for (const step of [...written, end]) {
    const text = session.lines(step).map((line) => `${line}\n`);
    all += text.join('');
    reader.push(new TextEncoder().encode(text.join('')));
    if (!isLook(step)) continue;
    const input = inputOf(reader, true);
    const followed = before === undefined ? undefined : follow(before, finish(states.next(input, before)));
    const state = followed?.state ?? before ?? finish(states.first(input, 1));
    check({ state, bytes: new TextEncoder().encode(all), before, patch: followed?.patch });
    before = state;
  }
}

describe('view of a session that grows', () => {
  property('is the view from scratch, rows included', steps, (written) => {
    grow(written, false, ({ state, bytes }) => {
      const fresh = stateOf(bytes, true, state.view.revision);
      assert.deepEqual(state.view, fresh.view);
      assert.deepEqual(rowsOf(state), rowsOf(fresh));
    });
  });

  property('is the view from scratch but for sizes that were measured once, where usage is reported', steps, (written) => {
    grow(written, true, ({ state, bytes }) => {
      const fresh = stateOf(bytes, true, state.view.revision);
      assert.deepEqual(withoutOldSizes(state), withoutOldSizes(fresh));
      const from = fresh.inspection.newest?.from ?? 0;
      assert.deepEqual(rowsOf(state, from), rowsOf(fresh, from));
    });
  });

  property('says of the context what an inspection of all messages says', steps, (written) => {
    grow(written, false, ({ state, bytes }) => {
      const { gauge, categories, turns, title, timeline, sidechains, diagnostics, canCompact, rows } = state.view;
      const whole = stateOf(bytes, false, 1).view;
      const of = (view: SessionView): unknown => [view.gauge, view.categories, view.turns, view.title, view.timeline, view.sidechains];
      assert.deepEqual([gauge, categories, turns, title, timeline, sidechains], of(whole));
      assert.deepEqual([diagnostics, canCompact, rows.count], [whole.diagnostics, whole.canCompact, whole.rows.count]);
    });
  });

  property(
    'comes about by its patches, and no row before the first changed one has changed',
    fc.tuple(steps, fc.boolean()),
    ([written, isReported]) => {
      grow(written, isReported, ({ state, before, patch }) => {
        if (before === undefined || patch === undefined) return;
        assert.deepEqual(applyPatch(before.view, patch), state.view);
        const same = patch.rowsFrom ?? state.view.rows.count;
        assert.deepEqual(rowsOf(state).slice(0, same), rowsOf(before).slice(0, same));
      });
    },
  );

  property('has told its gauge before by the newest turn alone', steps, (written) => {
    const session = new GrowingSession(true);
    const reader = new TranscriptReader({ format: 'claude-code' });
    const states = new SessionStates();
    let told: SessionState | undefined;
    for (const step of written) {
      reader.push(
        new TextEncoder().encode(
          session
            .lines(step)
            .map((line) => `${line}\n`)
            .join(''),
        ),
      );
      const input = inputOf(reader, true);
      if (told !== undefined) {
        const quick = states.gauge(input.transcript, settings);
        const fresh = finish(new SessionStates().first(input, 1));
        const { gauge } = fresh.view;
        const of = ({ reportedTokens, measurement, windowTokens, limits }: typeof gauge): unknown => [
          reportedTokens,
          measurement,
          windowTokens,
          limits,
        ];
        assert.deepEqual(of(quick), of(gauge));
        // The tail is estimated by what was learned of the session until the last whole view.
        const { transcript, sizes } = told.inspection;
        const isSameFit = fresh.inspection.sizes.scale === sizes.scale && transcript.boundaries === input.transcript.boundaries;
        if (isSameFit) assert.equal(quick.usedTokens, gauge.usedTokens);
      }
      if (isLook(step)) told = finish(states.first(input, 1));
    }
  });
});
