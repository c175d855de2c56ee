// The measure itself is tested on small conversations whose facts are known, so that a figure of 1 means something.
import assert from 'node:assert/strict';
import type { Message } from '../../../src/core/model/message';
import { artifactsOf } from '../../support/fidelity/artifacts';
import { headAndTail, keepLast } from '../../support/fidelity/baselines';
import { inventedIn } from '../../support/fidelity/invented';
import { summaryFigures, truncationFigures, zoneOf } from '../../support/fidelity/measure';
import { statementsOf } from '../../support/fidelity/statements';
import { constraintsIn, keywordsOf, lastAnswers } from '../../support/fidelity/words';
import { asks, bash, execs, patches, says, talk, uses } from '../compaction/offline/talk';

const pairs = (messages: readonly Message[]): readonly string[] =>
  artifactsOf(messages, '/repo').map(({ kind, path, isDoubtful }) => `${kind} ${path}${isDoubtful ? '?' : ''}`);

describe('fidelity: what calls did to files', () => {
  const table: readonly (readonly [string, readonly Message[], readonly string[]])[] = [
    ['a file tool', talk(uses('Read', { file_path: '/repo/a.ts' }, 'x')), ['read /repo/a.ts']],
    ['a failed one', talk(uses('Edit', { file_path: '/repo/a.ts' }, 'x', true)), ['changed /repo/a.ts?']],
    ['one without a result', talk(uses('Edit', { file_path: '/repo/a.ts' })), ['changed /repo/a.ts?']],
    ['a new file', talk(uses('Write', { file_path: 'a.ts' }, 'File created successfully at: a.ts')), ['created a.ts']],
    ['a file that may be new', talk(uses('write', { path: 'a.ts' }, 'ok')), ['written a.ts']],
    ['several files', talk(uses('read_files', { files: [{ path: '/a' }, { path: '/b' }] }, 'x')), ['read /a', 'read /b']],
    ['a shell', talk(bash('cat a.ts b.ts && rm c.ts > out.txt', 'x')), ['read a.ts', 'read b.ts', 'written out.txt', 'deleted c.ts']],
    ['a shell that complains', talk(bash('cat a.ts b.ts', 'cat: b.ts: No such file or directory')), ['read a.ts', 'read b.ts?']],
    ['a here-document', talk(bash("cat > a.ts <<'EOF'\nrm b.ts\nEOF\ncat c.ts", 'x')), ['written a.ts', 'read c.ts']],
    ['what may not have run', talk(bash('make || rm a.ts', 'x')), ['deleted a.ts?']],
    ['names that the shell makes', talk(bash('cat $FILE *.ts', 'x')), []],
    ['a failed command of Codex', talk(execs('cat a.ts', 'no', 1)), ['read a.ts?']],
    [
      'a patch',
      talk(patches('*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n*** Delete File: d\n*** End Patch')),
      ['created a', 'deleted b', 'created c', 'deleted d'],
    ],
  ];
  for (const [name, messages, expected] of table) it(name, () => assert.deepEqual([...pairs(messages)].sort(), [...expected].sort()));
});

describe('fidelity: what a summary states', () => {
  const summary =
    '## Files\n`…/` stands for `/repo/`.\n**Created and read:**\n- …/src/: a.ts, `b, c.ts`\n- (in /other) lib/: d.ts\n```\n**Deleted:**\n- x\n```\n## Next\n- y';

  it('is read by its grammar, and quotations state nothing', () =>
    assert.deepEqual(
      statementsOf(summary).map(({ kind, path, base }) => `${kind} ${base ?? ''} ${path}`),
      [
        'read  /repo/src/a.ts',
        'created  /repo/src/a.ts',
        'read  /repo/src/b, c.ts',
        'created  /repo/src/b, c.ts',
        'read /other lib/d.ts',
        'created /other lib/d.ts',
      ],
    ));

  it('is measured against the calls, both ways', () => {
    const messages = talk(
      asks('Please never touch legacy_code.'),
      uses('Read', { file_path: '/repo/src/a.ts' }, 'x'),
      bash('rm old.ts', ''),
      says('Moved the parser.'),
    );
    const zone = zoneOf(messages, messages, '/repo');
    const text =
      '## User requests (verbatim)\n1. Please touch legacy_code.\n\n## Files\n**Read:**\n- /repo/src/: a.ts\n**Changed:**\n- /repo/: z.ts';
    const figures = summaryFigures(zone, text, text, []);
    assert.deepEqual(figures.recall, { kept: 1, all: 2 });
    assert.deepEqual(figures.precision, { kept: 1, all: 2 });
    // please, never, touch, legacy_code
    assert.deepEqual(figures.requests, { kept: 3, all: 4 });
    // moved, parser
    assert.deepEqual(figures.answers, { kept: 0, all: 2 });
    assert.equal(figures.verbatim.kept, 0);
    assert.deepEqual(figures.invented, ['z.ts']);
  });

  it('counts what is invented by form, wherever it is not the summary’s own', () => {
    const messages = talk(asks('see src/a.ts and 42'));
    const text =
      '## Session at a glance\n- 7 messages\n\n## User requests (verbatim)\n1. see src/a.ts, src/b.ts, 42, 43 and fooBar\n(12 earlier requests left out)';
    assert.deepEqual(inventedIn(text, messages), ['src/b.ts', '43', 'fooBar']);
  });
});

describe('fidelity: words', () => {
  it('counts long words, numbers and names', () => {
    const { words, identifiers } = keywordsOf('Use the Parser in src/a.ts 3 times, not foo_bar.');
    assert.deepEqual([...words], ['parser', '3', 'times']);
    assert.deepEqual([...identifiers], ['src/a.ts', 'foo_bar']);
  });

  it('takes the last text of each turn', () =>
    assert.deepEqual(lastAnswers(talk(asks('a'), says('one'), says('two'), asks('b'), says('three'))), ['two', 'three']));

  it('knows constraints', () =>
    assert.deepEqual(constraintsIn('Hello there. Never push. Use at most 3. Go on.'), ['Never push.', 'Use at most 3.']));
});

describe('fidelity: truncation at the same size', () => {
  const messages = talk(asks('first word'), uses('Read', { file_path: '/a' }, 'x'), says('middle part'), says('final part'));
  const sizeOf = (message: Message): number => message.content.length * 10;

  it('keeps the newest, or both ends', () => {
    assert.deepEqual(
      keepLast(messages, 20, sizeOf).map(({ id }) => id),
      ['m3', 'm4'],
    );
    assert.deepEqual(
      headAndTail(messages, 20, sizeOf).map(({ id }) => id),
      ['m0', 'm4'],
    );
  });

  it('states what its calls say', () => {
    const zone = zoneOf(messages, messages, undefined);
    assert.deepEqual(truncationFigures(zone, messages).recall, { kept: 1, all: 1 });
    assert.deepEqual(truncationFigures(zone, messages.slice(3)).recall, { kept: 0, all: 1 });
  });
});
