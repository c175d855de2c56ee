// Nothing that a page posts makes the host throw, and only requests of the contract pass (R57).
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { serve, type Port } from '../../../src/core/protocol/channel';
import type { Handlers, PageRequests } from '../../../src/core/protocol/contract';
import { checkPageRequest, isRowView, isSessionPatch, isSessionView, MAX_ROWS_PER_READ } from '../../../src/core/protocol/guards';

const ownPrototype: unknown = JSON.parse('{"kind":"full","__proto__":{}}');
const lostFile = { kind: 'file', messageId: 'm', value: 'src/a.ts' };

describe('requests of the page', () => {
  const good: readonly (readonly [string, unknown])[] = [
    ['session/open', {}],
    ['rows/read', { handle: 'h', from: 0, to: 100 }],
    ['rows/read', { handle: 'h', from: 7, to: 7 }],
    ['compaction/preview', { handle: 'h', request: { kind: 'full' } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'full', keepMessages: 4 } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', pivotId: 'm' } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', position: 4, figuresOnly: true } }],
    ['compaction/run', { handle: 'h', planId: 'p', summarizer: 'offline', instructions: '' }],
    [
      'compaction/run',
      {
        handle: 'h',
        planId: 'p',
        summarizer: 'vscode',
        instructions: '',
        detail: 'brief',
        putBack: [{ kind: 'file', messageId: 'm', value: 'a.ts' }],
      },
    ],
    ['compaction/prompt', { handle: 'h', planId: 'p', summarizer: 'offline', instructions: 'x', detail: 'full' }],
    ['compaction/request', { handle: 'h', planId: 'p', instructions: '' }],
    ['copy/run', { handle: 'h', newSessionId: 's' }],
    ['history/list', { handle: 'h' }],
    ['history/undo', { handle: 'h', id: 's' }],
    ['history/compare', { handle: 'h', id: 's' }],
    ['history/again', { handle: 'h', id: 's' }],
    ['compaction/putBack', { handle: 'h', newSessionId: 's', items: [lostFile] }],
    ['selection/changed', { handle: 'h', messageId: null }],
    ['transcript/reveal', { handle: 'h', messageId: 'm' }],
    ['copy/resume', { handle: 'h', newSessionId: 's' }],
    ['session/pick', {}],
    ['window/set', { handle: 'h' }],
  ];
  for (const [name, params] of good)
    it(`passes ${name} ${JSON.stringify(params)}`, () => assert.equal(checkPageRequest(name, params), true));

  const bad: readonly (readonly [string, unknown])[] = [
    ['runCommand', { command: 'workbench.action.terminal.sendSequence' }],
    ['toString', {}],
    ['__proto__', {}],
    ['session/open', null],
    ['session/open', { path: '../../../etc/passwd' }],
    ['rows/read', { handle: 'h', from: 0, to: MAX_ROWS_PER_READ + 1 }],
    ['rows/read', { handle: 'h', from: 5, to: 4 }],
    ['rows/read', { handle: 'h', from: -1, to: 4 }],
    ['rows/read', { handle: 'h', from: 0.5, to: 4 }],
    ['rows/read', { handle: 'h', from: 0, to: Number.NaN }],
    ['rows/read', { handle: 'h', from: 0 }],
    ['compaction/preview', { handle: 'h', request: { kind: 'all' } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo' } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', summarizer: 'offline', detail: 'brief' } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', position: -1 } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', position: 1_000_000_001 } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', keepTurns: 1.5 } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', keepTokens: '8000' } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', position: 4, detail: 'long' } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialUpTo', position: 4, clear: [] } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'partialFrom', keepTurns: 2 } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'full', position: 4 } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'full', figuresOnly: 1 } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'full', summarizer: 'https://evil.example' } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'micro', clear: Array.from({ length: 501 }, (_, at) => `t${at}`) } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'micro', clear: Array(2) } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'micro', clear: [''] } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'micro', clear: 'toolu_1' } }],
    ['compaction/preview', { handle: 'h', request: ownPrototype }],
    ['compaction/preview', { handle: 'h', request: { kind: 'full', keepMessages: -1 } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'full', path: 'x' } }],
    ['compaction/preview', { handle: 'h', request: { kind: 'full', pinned: ['m'] } }],
    ['compaction/run', { handle: 'h', planId: 'p', summarizer: 'https://evil.example', instructions: '' }],
    ['compaction/run', { handle: 'h', planId: 'p', summarizer: 'offline', instructions: 'x'.repeat(20_001) }],
    ['compaction/run', { handle: 'h', planId: 'p', summarizer: 'offline', instructions: '', detail: '' }],
    ['compaction/run', { handle: 'h', planId: 'p', summarizer: 'offline', instructions: '', putBack: [{ ...lostFile, path: 'x' }] }],
    ['compaction/run', { handle: 'h', planId: 'p', summarizer: 'offline', instructions: '', putBack: [{ ...lostFile, kind: 'text' }] }],
    [
      'compaction/run',
      { handle: 'h', planId: 'p', summarizer: 'offline', instructions: '', putBack: [{ ...lostFile, value: 'x'.repeat(601) }] },
    ],
    ['compaction/run', { handle: 'h', planId: 'p', summarizer: 'offline', instructions: '', putBack: Array(201).fill(lostFile) }],
    ['compaction/run', { handle: 'h', planId: 'p', summarizer: 'offline', instructions: '', detail: 'endless' }],
    ['compaction/run', { handle: 'h', planId: 'p', summarizer: 'offline', instructions: '', command: 'x' }],
    ['compaction/prompt', { handle: 'h', planId: 'p', summarizer: 'offline', instructions: '', putBack: [{ kind: 'file', value: 'x' }] }],
    [
      'compaction/prompt',
      {
        handle: 'h',
        planId: 'p',
        summarizer: 'offline',
        instructions: '',
        putBack: [{ kind: 'file', messageId: 'm', value: 'x', path: '/' }],
      },
    ],
    ['copy/run', { handle: 'h', newSessionId: 's', command: 'rm' }],
    ['history/undo', { handle: 'h', id: '' }],
    ['history/undo', { handle: 'h', id: 's', path: '/etc/passwd' }],
    ['transcript/reveal', { handle: 'h', messageId: '' }],
    ['transcript/reveal', { handle: 'h', messageId: 'x'.repeat(401) }],
    ['transcript/reveal', Object.create({ handle: 'h', messageId: 'm' })],
    ['copy/open', { handle: 'h', newSessionId: { toString: 'x' } }],
  ];
  for (const [name, params] of bad) {
    it(`refuses ${name} ${JSON.stringify(params).slice(0, 80)}`, () => assert.equal(checkPageRequest(name, params), false));
  }

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('rows/read', 'compaction/preview', 'compaction/run')),
        fc.anything(),
        (name, params) => {
          assert.equal(typeof checkPageRequest(name, params), 'boolean');
          isSessionPatch(params);
          isSessionView(params);
          isRowView(params);
        },
      ),
      { seed: 3, numRuns: 500 },
    );
  });

  it('lets no message of a stranger reach a handler', async () => {
    const done: string[] = [];
    const sent: unknown[] = [];
    let deliver: (frame: unknown) => void = () => undefined;
    const port: Port = {
      post: (frame) => void sent.push(frame),
      onFrame(listener) {
        deliver = listener;
        return { dispose: () => undefined };
      },
    };
    const handlers = new Proxy({} as Handlers<PageRequests>, {
      ownKeys: () => ['session/open'],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      get: (_, name) => () => {
        done.push(String(name));
        return Promise.resolve(null);
      },
    });
    serve<PageRequests>(port, handlers, checkPageRequest);
    const messages: readonly unknown[] = [
      { type: 'runCommand', command: 'workbench.action.terminal.sendSequence', args: ['rm'] },
      { type: 'open', path: '../../../etc/passwd' },
      { k: 'req', id: 1, name: 'open', params: { path: '../../../etc/passwd' } },
      { k: 'req', id: 2, name: 'session/open', params: { sessionId: '__proto__' } },
      'x',
      null,
      undefined,
      [],
      { k: 'cancel', id: 99 },
    ];
    for (const message of messages) deliver(message);
    await Promise.resolve();
    assert.deepEqual(done, []);
    assert.deepEqual(
      sent.map((frame) => JSON.stringify(frame)),
      ['{"k":"err","id":1,"code":"unknownRequest","message":"open"}', '{"k":"err","id":2,"code":"badParams","message":"session/open"}'],
    );
  });
});
