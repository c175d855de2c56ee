import assert from 'node:assert/strict';
import { paceOf, refillTurns, turnsUntil } from '../../../src/core/session/pace';
import { call, result, text, transcriptOf } from '../../support/transcripts';
import type { Message } from '../../../src/core/model/message';

function pace(messages: readonly Message[], each = 100): ReturnType<typeof paceOf> {
  const tokens = messages.map(() => each);
  const sizes = { tokens, scale: 1, bandOf: () => 0, sidechainTokens: [], sizeOf: () => each };
  return paceOf({ transcript: transcriptOf(messages), sizes });
}

/** A turn of two requests: 400 tokens where each message has 100. */
function turn(at: number): readonly Message[] {
  return [
    text('user', 'go'),
    call(`c${at}`, 'Bash', {}, { messageId: `r${at}` }),
    result(`c${at}`, 'ok'),
    text('assistant', 'done', { messageId: `s${at}` }),
  ];
}

describe('pace', () => {
  it('is the mean growth and the mean number of requests of a turn', () => {
    const messages = [...turn(0), ...turn(1), text('user', 'one more')];
    const found = pace(messages);
    assert.equal(found?.tokensPerTurn, 900 / 3);
    assert.equal(found.requestsPerTurn, 4 / 3);
  });

  it('is of the newest ten turns', () => {
    const messages = [...turn(99), ...Array.from({ length: 10 }, (_, at) => turn(at)).flat()];
    assert.deepEqual(pace(messages), { tokensPerTurn: 400, requestsPerTurn: 2 });
  });

  it('is unknown with one turn, and where nothing weighs anything', () => {
    assert.equal(pace(turn(0)), undefined);
    assert.equal(pace([...turn(0), ...turn(1)], 0), undefined);
    assert.equal(pace([]), undefined);
  });

  it('counts no summary', () => {
    const messages = [text('user', 'summary', { kind: 'summary' }), ...turn(0), ...turn(1)];
    assert.equal(pace(messages)?.tokensPerTurn, 400);
  });

  it('tells when the window is full again', () => {
    const found = pace([...turn(0), ...turn(1)]);
    assert.equal(refillTurns(20_000, 100_000, found), 200);
    assert.equal(refillTurns(99_990, 100_000, found), 1);
    assert.equal(refillTurns(100_000, 100_000, found), undefined);
    assert.equal(refillTurns(20_000, undefined, found), undefined);
    assert.equal(refillTurns(20_000, 100_000, undefined), undefined);
    assert.equal(turnsUntil(600, found), 2);
    assert.equal(turnsUntil(600, undefined), undefined);
  });
});
