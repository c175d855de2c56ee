import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isEngineParams } from '../../../src/node/engine/engineShapes';

const good: readonly [string, unknown][] = [
  ['session/open', { path: '/a', options: {}, watch: true, pollMs: 2000 }],
  ['session/open', { path: '/a', options: { windowOverrides: { 'x*': 1 }, imageTokens: 0, tokenizer: 'auto' }, watch: false, pollMs: 250 }],
  ['session/close', { handle: 'h' }],
  ['rows/read', { handle: 'h', from: 0, to: 500 }],
  ['compaction/preview', { handle: 'h', request: { kind: 'full', keepMessages: 10 } }],
  ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', pivotId: 'm' } }],
  ['compaction/preview', { handle: 'h', request: { kind: 'full', keepMessages: 2, pinned: ['m'] } }],
  ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', keepTokens: 8000, detail: 'full', summarizer: 'openai' } }],
  ['compaction/preview', { handle: 'h', request: { kind: 'partialFrom', position: 4, figuresOnly: true } }],
  ['compaction/preview', { handle: 'h', request: { kind: 'micro', clear: ['t1'] } }],
  ['compaction/putBack', { handle: 'h', newSessionId: 's', items: [{ kind: 'file', messageId: 'm', value: '/a' }] }],
  [
    'session/options',
    { handle: 'h', options: { pricing: { 'x*': { input: 0.5, output: 2 } }, summarizerModel: 'm', maxOutputTokens: 8000 } },
  ],
  ['compaction/request', { handle: 'h', planId: 'p', instructions: 'x', detail: 'brief' }],
  ['compaction/run', { handle: 'h', planId: 'p', summarizer: { kind: 'offline' }, instructions: '' }],
  [
    'compaction/run',
    {
      handle: 'h',
      planId: 'p',
      summarizer: { kind: 'openai', baseUrl: 'https://a', model: 'm', apiKey: undefined, headers: {}, timeoutMs: 1000 },
      instructions: 'x',
    },
  ],
  ['line/message', { handle: 'h', line: 1 }],
  ['inspect', { path: '/a', options: {}, messages: true }],
  ['sessions/list', { folders: ['/a'], all: false, extraPaths: { codex: ['/b'] }, limit: 10 }],
];

describe('isEngineParams', () => {
  for (const [name, params] of good) it(`takes ${name} ${JSON.stringify(params)}`, () => assert.ok(isEngineParams(name, params)));

  const bad: readonly [string, unknown][] = [
    ['session/close', { handle: 'h', more: 1 }],
    ['session/close', {}],
    ['session/close', Object.create({ handle: 'h' })],
    ['session/close', null],
    ['rows/read', { handle: 'h', from: -1, to: 5 }],
    ['rows/read', { handle: 'h', from: 0.5, to: 5 }],
    ['line/message', { handle: 'h', line: 0 }],
    ['compaction/preview', { handle: 'h', request: { kind: 'full', pinned: [1] } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'micro', clear: [7] } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', position: 1.5 } }],
    ['compaction/putBack', { handle: 'h', newSessionId: 's', items: [{ kind: 'text', messageId: 'm', value: '/a' }] }],
    ['session/options', { handle: 'h', options: { pricing: { 'x*': { input: -1 } } } }],
    ['session/options', { handle: 'h', options: { pricing: { 'x*': { output: 1 } } } }],
    ['compaction/request', { handle: 'h', planId: 'p' }],
    ['compaction/request', { handle: 'h', planId: 'p', instructions: '', host: 'x' }],
    ['compaction/run', { handle: 'h', planId: 'p', summarizer: { kind: 'offline', baseUrl: 'https://a' }, instructions: '' }],
    ['session/open', { path: '/a', options: { windowTokens: Number.NaN }, watch: true, pollMs: 2000 }],
    ['sessions/list', { folders: [1], all: false, extraPaths: {}, limit: 10 }],
    ['constructor', {}],
    ['toString', {}],
  ];
  for (const [name, params] of bad) it(`refuses ${name} ${JSON.stringify(params)}`, () => assert.ok(!isEngineParams(name, params)));

  it('judges anything without throwing', () => {
    const names = fc.constantFrom(...good.map(([name]) => name), '__proto__');
    fc.assert(
      fc.property(names, fc.anything({ withNullPrototype: true }), (name, value) => typeof isEngineParams(name, value) === 'boolean'),
    );
  });
});
