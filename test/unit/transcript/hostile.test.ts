// Every field of a record may be of any type: each format reads records with foreign values in them, and never throws (P41, P43, P45).
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import fc from 'fast-check';
import type { FormatId } from '../../../src/core/model/transcript';
import { FORMATS } from '../../../src/core/transcript/formats';
import { unknownBlock } from '../../../src/core/transcript/formats/anthropicBlocks';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { isWellFormed } from '../../../src/core/util/text';
import { place } from '../../support/mutations';
import { property } from '../../support/property';

const FOLDER = join(process.cwd(), 'test', 'fixtures');

/** JSON of values that no field expects. `__proto__` is written as text, so that parsing makes an own property of it. */
const foreign = fc.constantFrom(
  'null',
  'true',
  '-1',
  '1e308',
  '0.5',
  '""',
  '"\\ud800"',
  '"__proto__"',
  '[]',
  '[null]',
  '[[1]]',
  '{}',
  '{"__proto__":{"polluted":true}}',
  '{"length":1e9}',
  '{"type":7,"id":[],"role":{},"content":{"parts":1}}',
);

/** A value of a record is replaced, dropped, or put into a list. */
interface Change {
  readonly at: number;
  readonly to: string | undefined;
}

const changes = fc.array(fc.record({ at: place, to: fc.option(foreign, { nil: undefined }) }), { minLength: 1, maxLength: 8 });

describe('foreign values', () => {
  for (const { id } of FORMATS) {
    const values = recordsOf(id);
    if (values.length === 0) continue;
    property(`${id}: are no reason to throw`, fc.tuple(fc.nat(), changes), ([which, list]) => {
      const own = values[which % values.length] ?? [];
      const text = list.reduce(changed, own.map((value) => JSON.stringify(value)).join('\n'));
      const whole = readTranscript(new TextEncoder().encode(text), { format: id });
      assert.ok(isWellFormed(JSON.stringify(whole)));
      assert.equal('polluted' in {}, false);
      const ids = [...whole.messages, ...whole.sidechains.flatMap(({ messages }) => messages)].map((message) => message.id);
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(whole.context.every((index) => whole.messages[index] !== undefined));
      assert.ok(Object.values(whole.totals).every((value) => Number.isSafeInteger(value) && value >= 0));
    });
  }
});

describe('unknown blocks', () => {
  it('hold null for a value that is not there', () => {
    assert.deepEqual(unknownBlock('part', undefined), { type: 'unknown', originalType: 'part', raw: 'null' });
  });

  it('stand for parts of a span that hold no value', () => {
    const messages = {
      key: 'gen_ai.input.messages',
      value: {
        arrayValue: {
          values: [
            {
              kvlistValue: {
                values: [
                  { key: 'role', value: { stringValue: 'user' } },
                  { key: 'parts', value: { arrayValue: { values: [{}, { stringValue: 'go' }] } } },
                ],
              },
            },
          ],
        },
      },
    };
    const model = { key: 'gen_ai.request.model', value: { stringValue: 'm' } };
    const span = { traceId: 't', spanId: 's', name: 'chat', startTimeUnixNano: '1', attributes: [model, messages] };
    const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    const { messages: read } = readTranscript(new TextEncoder().encode(text), { format: 'otel' });
    assert.deepEqual(read[0]?.content, [
      { type: 'unknown', originalType: 'part', raw: 'null' },
      { type: 'text', text: 'go' },
    ]);
  });
});

/** Records of each fixture that is JSON: the lines, or the one document. */
function recordsOf(id: FormatId): readonly (readonly unknown[])[] {
  const folder = join(FOLDER, id);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && ['.json', '.jsonl', '.traj'].includes(extname(entry.name)))
    .filter(({ name }) => !name.endsWith('.expected.json') && !name.startsWith('damaged'))
    .map(({ name }) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const document = parsed(text);
      return document === undefined ? text.split('\n').flatMap((line) => parsed(line) ?? []) : [document];
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces or drops the value nearest behind a place of the text. */
function changed(text: string, { at, to }: Change): string {
  const start = text.indexOf(':', Math.floor(at * text.length)) + 1;
  if (start === 0) return text;
  const rest = text.slice(start);
  const end = endOfValue(rest);
  if (end === undefined) return text;
  return `${text.slice(0, start)}${to ?? `[${rest.slice(0, end)}]`}${rest.slice(end)}`;
}

/** Length of the JSON value that the text begins with; undefined when it begins with none. */
function endOfValue(text: string): number | undefined {
  const plain = /^(?:"(?:[^"\\]|\\.)*"|-?[\d.eE+-]+|true|false|null)/u.exec(text);
  if (plain !== null) return plain[0].length;
  if (!/^[[{]/u.test(text)) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"') at += (/^"(?:[^"\\]|\\.)*"/u.exec(text.slice(at))?.[0].length ?? 1) - 1;
    else if (sign === '[' || sign === '{') depth++;
    else if ((sign === ']' || sign === '}') && --depth === 0) return at + 1;
  }
  return undefined;
}
