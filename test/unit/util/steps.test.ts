import assert from 'node:assert/strict';
import { TranscriptReader } from '../../../src/core/transcript/incrementalReader';
import { finish, isPause, type Steps } from '../../../src/core/util/steps';

function* countTo(end: number): Steps<number> {
  for (let index = 0; index < end; index++) if (isPause(index)) yield;
  return end;
}

describe('work in pieces', () => {
  it('gives its result when it is done at once', () => assert.equal(finish(countTo(100_000)), 100_000));

  it('pauses every 4,096 entries', () => assert.equal([...countTo(4096 * 3 + 1)].length, 3));

  it('puts a branching session together in pieces that give what one piece gives', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => {
      // Every thousandth record hangs beside the one that goes on.
      const parent = index === 0 ? null : `u${index % 1000 === 1 && index > 1 ? index - 2 : index - 1}`;
      const message = { role: 'user', content: `line ${index}` };
      return JSON.stringify({ type: 'user', uuid: `u${index}`, parentUuid: parent, sessionId: 's', message });
    });
    const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
    const [sliced, whole] = [new TranscriptReader(), new TranscriptReader()];
    sliced.push(bytes);
    whole.push(bytes);
    const steps = sliced.snapshotSteps();
    let pieces = 1;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pieces++;
    assert.deepEqual(step.value, whole.snapshot());
    assert.ok(pieces > 20, `${pieces} pieces`);
  });
});
