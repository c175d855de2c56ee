import assert from 'node:assert/strict';
import { LineReader } from '../../../src/core/transcript/lineReader';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(source: Uint8Array | string, limits = {}): { values: unknown[]; codes: string[]; lines: number[] } {
  const reader = new LineReader(limits);
  const records = [...reader.push(typeof source === 'string' ? encode(source) : source)];
  const tail = reader.tail();
  records.push(...tail.records);
  const diagnostics = [...reader.diagnostics, ...tail.diagnostics];
  return {
    values: records.map((record) => record.value),
    codes: diagnostics.map((diagnostic) => `${diagnostic.code}@${diagnostic.line}`),
    lines: records.map((record) => record.line),
  };
}

describe('LineReader', () => {
  const table: readonly (readonly [string, Uint8Array | string, readonly unknown[], readonly string[]])[] = [
    ['lines', '1\n2\n', [1, 2], []],
    ['a last line without its end', '1\n{"a":2}', [1, { a: 2 }], []],
    ['a torn last line', '1\n{"a":', [1], ['truncated_tail@2']],
    ['CRLF and blank lines', '1\r\n\r\n  \t\n2\r\n', [1, 2], []],
    ['a byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, 0x31, 0x0a), [1], []],
    ['raw U+2028 and U+0085', '"a\u2028b\u0085c"\n', ['a\u2028b\u0085c'], []],
    ['a bad line', '1\n{oops}\n2\n', [1, 2], ['bad_json@2']],
    ['fused records', '{"a":1}{"b":2}\n3\n', [{ a: 1 }, { b: 2 }, 3], ['fused_records@1']],
    ['a run of zero bytes before a record', '1\n\0\0\0{"a":2}\n', [1, { a: 2 }], ['nul_padding@2']],
    ['a line of zero bytes', '1\n\0\0\0\n2\n', [1, 2], ['nul_padding@2']],
    ['zero bytes at the end', '1\n\0\0\0', [1], ['nul_padding@2']],
    ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xe9, 0x22, 0x0a), ['\uFFFD'], ['invalid_utf8@1']],
    ['an empty file', '', [], []],
    ['a scalar that is torn', 'tru', [], ['truncated_tail@1']],
  ];
  for (const [name, source, values, codes] of table) {
    it(`reads ${name}`, () => assert.deepEqual(read(source), { values, codes, lines: read(source).lines }));
  }

  it('counts lines from 1, blank ones included', () => {
    assert.deepEqual(read('\n1\n\n{"a":1}{"a":2}\n').lines, [2, 4, 4]);
  });

  it('skips a line above the limit and goes on behind it', () => {
    const { values, codes } = read(`"${'x'.repeat(100)}"\n1\n`, { maxLineBytes: 50 });
    assert.deepEqual([values, codes], [[1], ['line_too_long@1']]);
  });

  it('keeps no more of an over-long line than the limit', () => {
    const reader = new LineReader({ maxLineBytes: 1024 });
    const before = process.memoryUsage().arrayBuffers;
    const piece = new Uint8Array(1024 * 1024).fill(0x78);
    for (let i = 0; i < 200; i++) reader.push(piece);
    assert.ok(process.memoryUsage().arrayBuffers - before < 32 * 1024 * 1024);
    assert.deepEqual(
      reader.push(encode('\n7\n')).map((record) => record.value),
      [7],
    );
  });

  it('refuses deep nesting before it is parsed', () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    assert.deepEqual(read(`${deep}\n1\n`), { values: [1], codes: ['too_deep@1'], lines: [2] });
    assert.deepEqual(read('['.repeat(200) + ']'.repeat(200)).codes, []);
  });

  it('hands out the same record for a last line before and after its end arrives', () => {
    const reader = new LineReader();
    reader.push(encode('{"a":1}'));
    const [early] = reader.tail().records;
    assert.equal(reader.tail().records[0], early);
    const [late] = reader.push(encode('\r\n'));
    assert.equal(late, early);
    assert.deepEqual(reader.tail().records, []);
  });

  it('does not mistake a last line that goes on for the one it looked like', () => {
    const reader = new LineReader();
    reader.push(encode('{"a":1}'));
    reader.tail();
    const late = reader.push(encode('{"b":2}\n'));
    assert.deepEqual(
      late.map((record) => record.value),
      [{ a: 1 }, { b: 2 }],
    );
    assert.equal(reader.diagnostics[0]?.code, 'fused_records');
  });

  it('reports a bounded number of bad lines', () => {
    const reader = new LineReader();
    reader.push(encode('x\n'.repeat(12_000)));
    assert.equal(reader.diagnostics.length, 10_000);
  });

  it('does not keep the bytes it is given', () => {
    const reader = new LineReader();
    const piece = encode('{"a":');
    reader.push(piece);
    piece.fill(0x78);
    assert.deepEqual(reader.push(encode('1}\n'))[0]?.value, { a: 1 });
  });
});
