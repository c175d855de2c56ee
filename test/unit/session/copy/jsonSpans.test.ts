import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  elementSpans,
  mapMember,
  memberSpans,
  memberText,
  valueSpans,
  withMembers,
  withoutMembers,
} from '../../../../src/core/session/copy/jsonSpans';

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

describe('jsonSpans', () => {
  it('finds the members of any object and the elements of any array as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (object, spaced) => {
        const text = spaced ? ` ${pretty(object)}\r` : JSON.stringify(object);
        const members = memberSpans(text);
        const read = Object.fromEntries(
          members.map((member) => [member.key, JSON.parse(text.slice(member.value.start, member.value.end))]),
        );
        assert.deepEqual(read, JSON.parse(text));
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (list) => {
        const text = pretty(list);
        assert.deepEqual(
          elementSpans(text).map((span): unknown => JSON.parse(text.slice(span.start, span.end))),
          JSON.parse(text),
        );
      }),
    );
  });

  it('cuts fused values apart', () => {
    const text = '\ufeff{"a":"}"}{"b":[1,{}]} \t"x\\"y" 12 [true]';
    assert.deepEqual(
      [...valueSpans(text)].map((span) => text.slice(span.start, span.end)),
      ['{"a":"}"}', '{"b":[1,{}]}', '"x\\"y"', '12', '[true]'],
    );
  });

  it('leaves every byte that it is not asked to change', () => {
    const text = '{"big":12345678901234567890, "float":1.0,"esc":"\\u0041\\ud83d","1":0,"0":1,"id":"old"}';
    assert.equal(
      withMembers(text, new Map([['id', '"new"']])),
      '{"big":12345678901234567890,"float":1.0,"esc":"\\u0041\\ud83d","1":0,"0":1,"id":"new"}',
    );
  });

  it('sets every repetition of a key, adds missing ones, and works on an empty object', () => {
    assert.equal(withMembers('{"a":1,"b":2,"a":3}', new Map([['a', '9']])), '{"a":9,"b":2,"a":9}');
    assert.equal(withMembers('{ }', new Map([['q"', 'null']])), '{"q\\"":null}');
    assert.equal(memberText('{"a":1,"a":{"b":2}}', 'a'), '{"b":2}');
    assert.equal(memberText('[1]', 'a'), undefined);
    assert.equal(withoutMembers('{"a":1,"b":2}', new Set(['a'])), '{"b":2}');
    assert.equal(
      mapMember('{"a":1,"b":2}', 'c', () => '3'),
      '{"a":1,"b":2}',
    );
    assert.equal(
      mapMember('{"a":1,"b":2}', 'a', () => undefined),
      '{"a":1,"b":2}',
    );
  });

  it('ends on text that is no JSON, in linear time', () => {
    for (const text of ['', '{', '{"a"', '{"a":', '[1,', '"\\', '}', ':', '{"a":1 "b":2}', '\\'.repeat(1000)]) {
      Array.from(valueSpans(text));
      memberSpans(text.startsWith('{') ? text : `{${text}`, 0);
      elementSpans(text);
    }
    const started = performance.now();
    Array.from(valueSpans('[{'.repeat(500_000)));
    Array.from(valueSpans(`"${'\\"'.repeat(500_000)}`));
    Array.from(valueSpans(`"${'\\'.repeat(1_000_000)}`));
    assert.ok(performance.now() - started < 2000);
  });
});
