// Facts in the shapes in which they stand in transcripts, each with words of a summary that state it.
import type { LostKind } from '../../../src/core/compaction/lost';
import { asks, bash, execs, says, uses, type Part } from './offline/talk';

export interface Planted {
  readonly kind: LostKind;
  readonly value: string;
  /** Messages that state it. */
  readonly parts: Part;
  /** How a summary states it, in other words where that is fair. */
  readonly told: string;
}

const PLAIN: readonly Planted[] = [
  {
    kind: 'request',
    value: 'Please rename the parser module and update its callers',
    parts: asks('Please rename the parser module and update its callers'),
    told: 'The user asked to rename the parser module and to update all of its callers.',
  },
  { kind: 'request', value: 'why is the build slow?', parts: asks('why is the build slow?'), told: 'Question: why is the build slow?' },
  {
    kind: 'constraint',
    value: 'Never touch the legacy folder.',
    parts: asks('Never touch the legacy folder.'),
    told: '- Never touch the legacy folder.',
  },
  {
    kind: 'constraint',
    value: 'Keep at most three retries for uploads.',
    parts: asks('Keep at most three retries for uploads.'),
    told: 'Uploads: keep at most three retries.',
  },
  {
    kind: 'file',
    value: '/repo/src/payments/ledger.ts',
    parts: uses('Read', { file_path: '/repo/src/payments/ledger.ts' }, 'a\n'.repeat(400)),
    told: 'Read: `/repo/src/payments/ledger.ts`',
  },
  {
    kind: 'file',
    value: '/repo/docs/index.md',
    parts: uses('Edit', { file_path: '/repo/docs/index.md' }, 'The file /repo/docs/index.md has been updated.'),
    told: 'docs/index.md was changed',
  },
  {
    kind: 'file',
    value: '/repo/site/index.md',
    parts: uses('Write', { file_path: '/repo/site/index.md' }, 'File created successfully at: /repo/site/index.md'),
    told: '## Files\n**Created:**\n- /repo/site/: index.md',
  },
  {
    kind: 'file',
    value: 'config/deploy.yaml',
    parts: says('The values come from config/deploy.yaml.'),
    told: 'values come from deploy.yaml',
  },
  {
    kind: 'command',
    value: 'npm run migrate -- --dry-run',
    parts: bash('npm run migrate -- --dry-run', 'done'),
    told: '- `npm run migrate -- --dry-run` — ok',
  },
  {
    kind: 'command',
    value: 'cargo test --workspace',
    parts: execs('cargo test --workspace', 'fine'),
    told: 'cargo test --workspace was run',
  },
  {
    kind: 'error',
    value: 'TypeError: cannot read property of undefined at Ledger.close',
    parts: uses('Check', { target: 'x' }, 'TypeError: cannot read property of undefined at Ledger.close', true),
    told: '- Check x: `TypeError: cannot read property of undefined at Ledger.close`',
  },
  {
    kind: 'error',
    value: 'fatal: remote hung up unexpectedly',
    parts: uses('Push', { target: 'y' }, 'fatal: remote hung up unexpectedly'),
    told: 'It said: fatal: remote hung up unexpectedly',
  },
  {
    kind: 'url',
    value: 'https://example.org/issues/new?x=1',
    parts: says('It is described at https://example.org/issues/new?x=1.'),
    told: 'See https://example.org/issues/new?x=1',
  },
  {
    kind: 'identifier',
    value: 'computeLedgerTotals',
    parts: says('The reason is computeLedgerTotals, nothing else.'),
    told: 'cause: `this.computeLedgerTotals()`',
  },
  {
    kind: 'identifier',
    value: 'retry_after_ms',
    parts: says('The setting is called `retry_after_ms` there.'),
    told: 'setting retry_after_ms',
  },
  { kind: 'identifier', value: '7b26009', parts: says('That is in commit 7b26009 now.'), told: 'commit 7b26009' },
  { kind: 'number', value: '48213', parts: says('It listens on port 48213 there.'), told: 'port 48213' },
  { kind: 'number', value: '99.5%', parts: says('We are at 99.5% there.'), told: '99.5% reached' },
];

/** Shapes that are easily torn, cut or taken for something else. */
const HARD: readonly Planted[] = [
  {
    kind: 'file',
    value: 'C:\\Users\\mia\\My Documents\\report (final).docx',
    parts: uses('Read', { file_path: 'C:\\Users\\mia\\My Documents\\report (final).docx' }, 'x\n'.repeat(400)),
    told: '- read: C:\\Users\\mia\\My Documents\\report (final).docx',
  },
  {
    kind: 'file',
    value: 'D:\\build\\out\\app.exe',
    parts: says('The binary lies at D:\\build\\out\\app.exe since then.'),
    told: 'binary: `D:\\build\\out\\app.exe`',
  },
  {
    kind: 'file',
    value: '\\\\server\\share\\plans\\budget.xlsx',
    parts: uses('Write', { file_path: '\\\\server\\share\\plans\\budget.xlsx' }, 'File created successfully.'),
    told: 'Created \\\\server\\share\\plans\\budget.xlsx',
  },
  {
    kind: 'file',
    value: '/repo/app/[slug]/(group)/page.tsx',
    parts: uses('Edit', { file_path: '/repo/app/[slug]/(group)/page.tsx' }, 'updated'),
    told: 'changed `app/[slug]/(group)/page.tsx`',
  },
  {
    kind: 'file',
    value: '/repo/データ/集計表.csv',
    parts: uses('Read', { file_path: '/repo/データ/集計表.csv' }, 'x\n'.repeat(400)),
    told: '/repo/データ/集計表.csv was read',
  },
  {
    kind: 'command',
    value: `git commit -m "Fix: keep 3 'quoted' words"`,
    parts: bash(`git commit -m "Fix: keep 3 'quoted' words"`, 'done'),
    told: `- \`git commit -m "Fix: keep 3 'quoted' words"\` — ok`,
  },
  {
    kind: 'command',
    value: 'psql -c "DELETE FROM jobs WHERE state = \'stale\'"',
    parts: bash('psql -c "DELETE FROM jobs WHERE state = \'stale\'"', 'DELETE'),
    told: 'ran `psql -c "DELETE FROM jobs WHERE state = \'stale\'"`',
  },
  {
    kind: 'error',
    value: 'ValueError: ledger has no column named größe',
    parts: uses(
      'Validate',
      { target: 'ledger' },
      'Traceback (most recent call last):\n  File "run.py", line 3, in <module>\n    main()\nValueError: ledger has no column named größe',
      true,
    ),
    told: '`ValueError: ledger has no column named größe`',
  },
  {
    kind: 'error',
    value: 'error[E0308]: mismatched types, expected usize but found str',
    parts: uses(
      'Compile',
      { crate: 'store' },
      '   Compiling store\nerror[E0308]: mismatched types, expected usize but found str\n --> src/lib.rs\n  |\n  = note: aborting',
      true,
    ),
    told: 'rustc says: error[E0308]: mismatched types, expected usize but found str',
  },
  {
    kind: 'constraint',
    value: 'Never use `eval(input)` or "new Function" in the templates.',
    parts: asks('Never use `eval(input)` or "new Function" in the templates.'),
    told: '- Never use `eval(input)` or "new Function" in the templates.',
  },
  {
    kind: 'constraint',
    value: 'Antworten dürfen must stay below 2 pages, únicamente.',
    parts: asks('Antworten dürfen must stay below 2 pages, únicamente.'),
    told: '“Antworten dürfen must stay below 2 pages, únicamente.”',
  },
  {
    kind: 'request',
    value: 'Bitte die Prüfung der Straßenliste\nin zwei Schritte teilen:\n1. lesen\n2. vergleichen',
    parts: asks('Bitte die Prüfung der Straßenliste\nin zwei Schritte teilen:\n1. lesen\n2. vergleichen'),
    told: '```\nBitte die Prüfung der Straßenliste\nin zwei Schritte teilen:\n1. lesen\n2. vergleichen\n```',
  },
  {
    kind: 'url',
    value: 'http://[2001:db8::7]:8443/health?probe=a,b',
    parts: says('It answers under http://[2001:db8::7]:8443/health?probe=a,b there.'),
    told: 'health: http://[2001:db8::7]:8443/health?probe=a,b',
  },
  {
    kind: 'url',
    value: 'https://example.org/wiki/Straße_(Begriff)#名前',
    parts: says('See https://example.org/wiki/Straße_(Begriff)#名前 for the names.'),
    told: '<https://example.org/wiki/Straße_(Begriff)#名前>',
  },
  {
    kind: 'identifier',
    value: 'berechneGrößeNeu',
    parts: says('The culprit is berechneGrößeNeu there.'),
    told: 'culprit: `berechneGrößeNeu()`',
  },
  {
    kind: 'identifier',
    value: '合計_金額',
    parts: says('The column is 合計_金額 there.'),
    told: 'column 合計_金額',
  },
  {
    kind: 'identifier',
    value: 'nai\u0308ve_bayes',
    parts: says('The model is nai\u0308ve_bayes there.'),
    told: 'model `nai\u0308ve_bayes`',
  },
  { kind: 'number', value: '730 ms', parts: says('Each call takes 730 ms there.'), told: 'a call took 730ms' },
  { kind: 'number', value: '12.5GB', parts: says('The dump weighs 12.5GB there.'), told: 'dump of 12.5 GB' },
  { kind: 'number', value: '8 KiB', parts: says('The buffer holds 8 KiB there.'), told: '8 KiB of buffer' },
  { kind: 'number', value: '$1,024.50', parts: says('It would be $1,024.50 there.'), told: 'price: $1,024.50' },
];

/** All of them; none states another one. */
export const FACTS: readonly Planted[] = [...PLAIN, ...HARD];
