import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { sha256Hex } from '../../../src/core/util/sha256';

describe('sha256Hex', () => {
  it('has the digest of the standard for "abc" and for nothing', () => {
    assert.equal(sha256Hex('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    assert.equal(sha256Hex(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('agrees with the platform for every length around the block sizes', () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256);
      assert.equal(sha256Hex(bytes), createHash('sha256').update(bytes).digest('hex'), `${length} bytes`);
    }
  });

  it('takes a text as UTF-8, and a part of a larger buffer', () => {
    const text = 'aé漢\u{1F98A}'.repeat(1000);
    assert.equal(sha256Hex(text), createHash('sha256').update(text).digest('hex'));
    const part = new Uint8Array(300).fill(7).subarray(13, 250);
    assert.equal(sha256Hex(part), createHash('sha256').update(part).digest('hex'));
  });
});
