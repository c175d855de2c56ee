import assert from 'node:assert/strict';
import { isWellFormed } from '../../../src/core/util/text';
import { countBounded, loadCounter } from '../../../src/node/counting/bpeCounter';

describe('exact token counter (o200k_base)', function () {
  this.timeout(60_000);

  it('counts known texts and takes special tokens as ordinary text', async () => {
    const counter = await loadCounter('o200k_base');
    assert.equal(counter.id, 'o200k_base');
    assert.equal(counter.count(''), 0);
    assert.equal(counter.count('hello world'), 2);
    assert.equal(counter.count('<|endoftext|>'), 7);
  });

  it('stays linear on runs of one character, whatever it is', async () => {
    const counter = await loadCounter('o200k_base');
    counter.count('warm up');
    for (const unit of ['a', ' ', '\n', '7', '漢', '😀', '!']) {
      const started = process.cpuUsage();
      assert.ok(counter.count(unit.repeat(200_000)) > 0);
      const { user, system } = process.cpuUsage(started);
      assert.ok((user + system) / 1000 < 10_000, `${JSON.stringify(unit)} took too long`);
    }
  });

  it('counts short texts exactly as the encoder does and cuts only long runs', () => {
    const pieces: string[] = [];
    const counted = countBounded(`one two ${'x'.repeat(100)} end`, (piece) => pieces.push(piece));
    assert.equal(pieces.includes('one two '), true);
    assert.equal(Math.max(...pieces.map((piece) => piece.length)) <= 48, true);
    assert.ok(counted > 0);
  });

  it('never cuts a surrogate pair', () => {
    const pieces: string[] = [];
    countBounded('😀'.repeat(200), (piece) => pieces.push(piece));
    assert.equal(pieces.every(isWellFormed), true);
  });
});
