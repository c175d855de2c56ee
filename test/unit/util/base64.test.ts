import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fromBase64, toBase64 } from '../../../src/core/util/base64';
import { property } from '../../support/property';

describe('base64', () => {
  property('is what Node writes, and reads back', fc.uint8Array({ maxLength: 60 }), (bytes) => {
    const written = toBase64(bytes);
    assert.equal(written, Buffer.from(bytes).toString('base64'));
    assert.deepEqual(fromBase64(written), Uint8Array.from(bytes));
  });

  property(
    'has one spelling for each value',
    fc.string({ unit: fc.constantFrom('A', 'b', '9', '+', '/', '=', ' '), maxLength: 12 }),
    (text) => {
      const bytes = fromBase64(text);
      if (bytes !== undefined) assert.equal(toBase64(bytes), text);
      else assert.notEqual(Buffer.from(text, 'base64').toString('base64'), text);
    },
  );
});
