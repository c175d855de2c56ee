import assert from 'node:assert/strict';
import { afterFailure, afterMicrocompact, afterSuccess } from '../../../src/core/compaction/circuitBreaker';
import { numberOf, recordOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { ContextWindow, type WindowCheckpoint } from '../../../src/core/window/contextWindow';
import { expandVector, readVectors } from '../../golden/readGolden';
import { recordInput } from '../../golden/functions/input';
import { assistant, reported, user } from '../../support/messages';

const BYTES = { id: 'test/4', count: (text: string) => Math.floor(text.length / 4) };
const MODEL = { maxTokens: 200_000, maxOutputTokens: undefined };
const SCRIPT = 'ContextWindow(maxTokens=200000) script';

function freshWindow(): ContextWindow {
  return new ContextWindow(MODEL, BYTES);
}

describe('a context window', () => {
  it('knows its limits from the start, and nothing of its usage', () => {
    const window = freshWindow();
    assert.deepEqual(window.usage, { tokens: 0, measurement: 'unknown' });
    assert.equal(window.effectiveInputWindow, 180_000); // 200,000 − 20,000 for the answer
    assert.equal(window.autoCompactThreshold, 167_000); // 180,000 − 13,000
    assert.equal(window.remaining, 180_000);
  });

  it('lowers the threshold first and postpones it then', () => {
    const window = freshWindow();
    assert.equal(window.autoCompactThresholdWith({ thresholdPercent: 50 }), 90_000);
    assert.equal(window.autoCompactThresholdWith({ minPercent: 95 }), 171_000);
    assert.equal(window.autoCompactThresholdWith({ thresholdPercent: 50, minPercent: 60 }), 108_000);
    const both = { autoCompactEnabled: true, thresholdPercent: 50, minPercent: 60 };
    assert.equal(window.warningState(both).autoCompactThresholdTokens, window.autoCompactThresholdWith(both));
  });

  it('says nothing about what is left of an unknown window', () => {
    for (const maxTokens of [undefined, 0, -1]) {
      const window = new ContextWindow({ maxTokens, maxOutputTokens: undefined }, BYTES);
      window.reportUsage(reported(5, 1).usage);
      assert.equal(window.remaining, undefined);
      assert.equal(window.warningState({ autoCompactEnabled: true }).state, 'unknown');
    }
  });

  it('goes below zero when it is over full', () => {
    const window = freshWindow();
    window.reportLocalEstimate({ knownTotal: 190_000, complete: true });
    assert.equal(window.remaining, -10_000);
  });

  it('estimates with its counter, and says that it knows nothing without one', () => {
    const messages = [user('12345678'), assistant('1234')];
    // 2 + 1 of content, 2 × 4 of messages, 2 × 2 of blocks
    assert.equal(freshWindow().estimate(messages, { systemPrompt: 0, toolSchema: 0 }).knownTotal, 15);
    assert.equal(freshWindow().estimate(messages).complete, false);
    assert.deepEqual(new ContextWindow(MODEL, undefined).estimate(messages).knownTotal, 0);
  });

  it('hides warnings from a compaction to the next report, also for a usage that is asked about', () => {
    const window = freshWindow();
    window.reportUsage(reported(170_000, 1).usage);
    const options = { autoCompactEnabled: true };
    assert.equal(window.warningState(options).state, 'autoCompact');
    window.reportOutcome(afterSuccess);
    assert.equal(window.warningState(options).state, 'normal');
    assert.equal(window.warningState({ ...options, usedTokens: 178_000 }).state, 'blocked');
    assert.equal(window.warningState({ ...options, usedTokens: 176_000 }).state, 'normal');
    window.reportUsage(reported(170_000, 1).usage);
    assert.equal(window.warningState(options).state, 'autoCompact');
  });
});

describe('a checkpoint', () => {
  it('brings back everything, as often as wanted', () => {
    const window = freshWindow();
    window.reportUsage(reported(100_000, 5, 40_000).usage);
    window.reportOutcome(afterFailure);
    const before = window.state;
    const checkpoint = window.checkpoint();
    for (let turn = 0; turn < 2; turn++) {
      window.reportPostCompact(9_000);
      window.reportOutcome(afterSuccess);
      assert.notDeepEqual(window.state, before);
      window.restore(checkpoint);
      assert.equal(window.state, before);
    }
  });

  it('tells nothing, and is of use to its own window alone', () => {
    const window = freshWindow();
    window.reportOutcome(afterFailure);
    const checkpoint = window.checkpoint();
    assert.equal(JSON.stringify(checkpoint), '{"kind":"windowCheckpoint"}');
    assert.ok(Object.isFrozen(checkpoint));
    for (const foreign of [freshWindow().checkpoint(), { ...checkpoint }]) assert.throws(() => window.restore(foreign));
    assert.equal(window.state.consecutiveFailures, 1);
  });
});

describe('the scripts of the measured window', () => {
  const scripts = readVectors('test/golden/golden-seed2.json').filter(({ fn }) => fn === SCRIPT);

  it('are there', () => assert.ok(scripts.length > 5));

  for (const packed of scripts) {
    it(`end as measured through the class: ${packed.name}`, () => {
      const { input, output } = expandVector(packed);
      assert.ok(Array.isArray(input));
      const window = runScript(input.map(recordInput));
      const expected = recordInput(output);
      assert.equal(window.remaining, numberOf(expected, 'remaining'));
      assert.equal(window.state.consecutiveFailures, numberOf(expected, 'failures'));
      assert.equal(window.usage.tokens, numberOf(recordOf(expected, 'usage') ?? {}, 'UsedTokens'));
      const flags = recordOf(expected, 'warning(-1,true)') ?? {};
      const { isAboveAutoCompactThreshold, isAtBlockingLimit, warningSuppressed } = window.warningState({ autoCompactEnabled: true });
      assert.deepEqual(
        [isAboveAutoCompactThreshold, isAtBlockingLimit, warningSuppressed],
        ['IsAboveAutoCompactThreshold', 'IsAtBlockingLimit', 'WarningSuppressed'].map((key) => flags[key]),
      );
    });
  }
});

function runScript(steps: readonly JsonRecord[]): ContextWindow {
  const window = freshWindow();
  let captured: WindowCheckpoint = window.checkpoint();
  for (const step of steps) {
    const usage = recordOf(step, 'usage');
    const estimate = recordOf(step, 'estimate');
    switch (stringOf(step, 'op')) {
      case 'UpdateUsage':
        window.reportUsage(usage === undefined ? undefined : usageOf(usage));
        break;
      case 'UpdateLocalEstimate':
        window.reportLocalEstimate({
          knownTotal: numberOf(estimate ?? {}, 'known_total_tokens') ?? 0,
          complete: estimate?.['complete'] === true,
        });
        break;
      case 'UpdatePostCompactUsage':
        window.reportPostCompact(numberOf(step, 'n') ?? 0);
        break;
      case 'fail':
        window.reportOutcome(afterFailure);
        break;
      case 'success':
        window.reportOutcome(afterSuccess);
        break;
      case 'micro':
        window.reportOutcome(afterMicrocompact);
        break;
      case 'capture':
        captured = window.checkpoint();
        break;
      case 'restore':
        window.restore(captured);
        break;
      default:
        assert.fail(`unknown operation ${stringOf(step, 'op') ?? ''}`);
    }
  }
  return window;
}

/** The seed's input_tokens is the total already. */
function usageOf(usage: JsonRecord): ReturnType<typeof reported>['usage'] {
  const read = numberOf(usage, 'cache_read_input_tokens') ?? 0;
  const written = numberOf(usage, 'cache_creation_input_tokens') ?? 0;
  return reported((numberOf(usage, 'input_tokens') ?? 0) - read - written, numberOf(usage, 'output_tokens') ?? 0, read, written).usage;
}
