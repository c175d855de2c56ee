import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { SessionView } from '../../../src/core/protocol/viewModel';
import { Emitter } from '../../../src/core/util/emitter';
import {
  AutomaticMode,
  lookAt,
  type AutomaticHost,
  type AutomaticStatus,
  type Preparation,
  type PreparedCopy,
} from '../../../src/extension/automatic/automaticMode';
import { automaticWords } from '../../../src/extension/automatic/statusWords';
import { UntouchedCopies } from '../../../src/extension/automatic/untouchedCopies';
import { inEnglish } from '../../../src/extension/l10n/translate';
import { session } from './sessionFixture';

const COPY: PreparedCopy = { path: '/s/copy.jsonl', tokensBefore: 165_000, tokensAfter: 30_000, resume: 'claude --resume x' };
const PREPARED: Preparation = { kind: 'prepared', copy: COPY };
const FAILED: Preparation = { kind: 'failed', code: 'noSummary' };

/** A live session in which so many tokens are used; its agent compacts at 167,000. */
function at(usedTokens: number, more: Partial<SessionView> = {}): SessionView {
  const view = session(more);
  return { ...view, gauge: { ...view.gauge, usedTokens }, rows: { count: 40, activeCount: 40, maxTokens: 0 }, ...more };
}

class FakeHost implements AutomaticHost {
  on = true;
  view: SessionView | undefined = at(165_000);
  answers: (Preparation | Promise<Preparation>)[] = [];
  time = 1_000_000;
  readonly settings = new Emitter<void>();
  readonly changes = new Emitter<void>();
  readonly onDidChangeSettings = this.settings.event;
  readonly onDidChangeCurrent = this.changes.event;
  readonly signals: AbortSignal[] = [];
  readonly told: PreparedCopy[] = [];
  readonly lines: string[] = [];
  readonly shown: string[] = [];
  stops = 0;

  isOn(): boolean {
    return this.on;
  }
  maxPerHour(): number {
    return 6;
  }
  current(): { readonly path: string; readonly view: SessionView } | undefined {
    return this.view === undefined ? undefined : { path: '/s/a.jsonl', view: this.view };
  }
  async prepare(_path: string, signal: AbortSignal): Promise<Preparation> {
    this.signals.push(signal);
    return (await this.answers.shift()) ?? PREPARED;
  }
  tell(copy: PreparedCopy): void {
    this.told.push(copy);
  }
  tellStopped(): void {
    this.stops++;
  }
  show(status: Parameters<AutomaticHost['show']>[0]): void {
    this.shown.push(status === undefined ? 'nothing' : status.action === 'wait' ? status.reason : status.action);
  }
  log(line: string): void {
    this.lines.push(line);
  }
  now(): number {
    return this.time;
  }
}

describe('automatic mode of the host', () => {
  let host: FakeHost;
  let mode: AutomaticMode | undefined;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    host = new FakeHost();
  });
  afterEach(() => {
    mode?.dispose();
    mode = undefined;
    mock.timers.reset();
  });

  it('does nothing while it is off, and stops what runs when it is turned off', async () => {
    host.on = false;
    mode = new AutomaticMode(host);
    host.changes.fire();
    mock.timers.tick(3_600_000);
    await mode.look();
    assert.deepEqual([host.signals.length, host.lines], [0, []]);
    host.on = true;
    host.settings.fire();
    let answer: (preparation: Preparation) => void = () => undefined;
    host.answers = [new Promise((resolve) => (answer = resolve))];
    const looking = mode.look();
    assert.equal(host.signals.length, 1);
    host.on = false;
    host.settings.fire();
    assert.equal(host.signals[0]?.aborted, true);
    answer({ kind: 'cancelled', code: 'aborted' });
    await looking;
    assert.deepEqual(host.told, []);
    assert.equal(host.shown.at(-1), 'nothing');
    assert.deepEqual(host.lines, [
      'Automatic mode: on.',
      'Automatic mode: prepares a copy at 165000 of 167000 tokens.',
      'Automatic mode: off.',
    ]);
  });

  it('looks when the session was quiet for five seconds, and at the latest after thirty', async () => {
    mode = new AutomaticMode(host);
    mock.timers.tick(4999);
    assert.equal(host.signals.length, 0);
    mock.timers.tick(1);
    assert.equal(host.signals.length, 1);
    await new Promise((resolve) => setImmediate(resolve));
    host.view = at(165_000, { boundaries: [boundary()] });
    for (let second = 0; second < 29; second++) {
      host.changes.fire();
      mock.timers.tick(1000);
      host.time += 1000;
    }
    assert.equal(host.signals.length, 1, 'it is never quiet');
    host.changes.fire();
    mock.timers.tick(1000);
    assert.equal(host.signals.length, 2);
  });

  it('tells once of a copy, and logs each decision once', async () => {
    mode = new AutomaticMode(host);
    host.view = at(100_000);
    await mode.look();
    await mode.look();
    host.view = at(165_000);
    await mode.look();
    host.view = at(166_500);
    await mode.look();
    assert.deepEqual(host.told, [COPY]);
    assert.deepEqual(host.lines, [
      'Automatic mode: on.',
      'Automatic mode: waits (far) at 100000 of 167000 tokens.',
      'Automatic mode: prepares a copy at 165000 of 167000 tokens.',
      'Automatic mode: prepared.',
      'Automatic mode: waits (prepared) at 165000 of 167000 tokens.',
    ]);
    assert.equal(host.shown.at(-1), 'prepared');
  });

  it('stops after three failures and says so once; turning it off and on begins anew', async () => {
    host.answers = [FAILED, FAILED, FAILED];
    mode = new AutomaticMode(host);
    for (let n = 0; n < 5; n++) await mode.look();
    assert.deepEqual([host.signals.length, host.stops, host.shown.at(-1)], [3, 1, 'stopped']);
    assert.ok(host.lines.includes('Automatic mode: failed (noSummary).'));
    for (const on of [false, true]) {
      host.on = on;
      host.settings.fire();
    }
    await mode.look();
    assert.deepEqual([host.signals.length, host.told.length], [4, 1]);
  });

  it('tries again by itself a minute after a failure', async () => {
    host.answers = [FAILED];
    mode = new AutomaticMode(host);
    await mode.look();
    mock.timers.tick(59_999);
    assert.equal(host.signals.length, 1);
    mock.timers.tick(1);
    assert.equal(host.signals.length, 2);
  });

  it('does nothing any more when it was disposed', async () => {
    mode = new AutomaticMode(host);
    mode.dispose();
    mode.dispose();
    host.changes.fire();
    host.settings.fire();
    mock.timers.tick(3_600_000);
    await mode.look();
    assert.equal(host.signals.length, 0);
  });
});

describe('what automatic mode sees of a session', () => {
  const seen = (view: SessionView): ReturnType<typeof lookAt> => lookAt({ path: '/a', view }, 5);

  it('is its usage, the rule of its agent, and whether a copy can be written', () => {
    assert.deepEqual(seen(at(1000)), {
      session: '/a',
      usedTokens: 1000,
      compactsAt: 167_000,
      contextMessages: 40,
      boundaries: 0,
      isLive: true,
      canCompact: true,
      now: 5,
    });
    const { gauge } = at(1000);
    const agentLimit = { agent: 'Claude Code', at: 155_000, due: false, chosen: false };
    assert.equal(seen(at(1000, { gauge: { ...gauge, agentLimit } })).compactsAt, 155_000);
  });

  it('is no limit where the window is unknown or too small, and no copy of a part or of a file that is gone', () => {
    const { gauge } = at(1000);
    assert.equal(seen(at(1000, { gauge: { ...gauge, windowTokens: null } })).compactsAt, undefined);
    assert.equal(seen(at(1000, { gauge: { ...gauge, tooSmall: true } })).compactsAt, undefined);
    assert.equal(seen(at(1000, { gauge: { ...gauge, limits: [] } })).compactsAt, undefined);
    for (const more of [{ partial: true }, { problem: 'gone' }, { canCompact: false }])
      assert.equal(seen(at(1000, more)).canCompact, false);
  });
});

describe('words for automatic mode', () => {
  it('are one line for each status', () => {
    const stops = ['breakerOpen', 'noProgress'] as const;
    const waits = ['cannotCompact', 'notLive', 'unknownLimit', 'far', 'prepared', 'nothingNew', 'settling', 'hourlyLimit'] as const;
    const statuses: readonly AutomaticStatus[] = [
      { action: 'preparing' },
      { action: 'prepare' },
      ...stops.map((reason): AutomaticStatus => ({ action: 'stopped', reason })),
      ...waits.map((reason): AutomaticStatus => ({ action: 'wait', reason })),
    ];
    const words = statuses.map((status) => automaticWords(status, inEnglish));
    assert.ok(
      words.every((text) => /^Automatic mode: [a-z].*[a-z]$/.test(text)),
      words.join('\n'),
    );
  });
});

describe('a copy that nobody has gone on from', () => {
  it('is known by its size', () => {
    const copies = new UntouchedCopies();
    copies.add('/s/copy.jsonl', 100);
    assert.equal(copies.has({ path: '/s/copy.jsonl', bytes: 100 }), true);
    assert.equal(copies.has({ path: '/s/copy.jsonl', bytes: 101 }), false);
    assert.equal(copies.has({ path: '/s/other.jsonl', bytes: 100 }), false);
  });
});

function boundary(): SessionView['boundaries'][number] {
  return {
    ...{ index: 0, rowIndex: 0, id: 'b', timestamp: null, trigger: 'auto', preTokens: null, postTokens: null, durationMs: null },
    ...{ summaryId: null, summary: null, summaryTokens: null, preserved: null, summarizedCount: 0, valid: true },
  };
}
