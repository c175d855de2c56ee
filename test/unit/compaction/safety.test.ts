import assert from 'node:assert/strict';
import { summarizeOffline } from '../../../src/core/compaction/offline/offlineSummarizer';
import { safetyOf } from '../../../src/core/compaction/safety';
import type { Message } from '../../../src/core/model/message';
import { asks, bash, says, talk, uses } from './offline/talk';
import { inputOf } from './planInputs';

/** What is judged, as `kind fate index text`. */
function judged(messages: readonly Message[], kept: readonly number[], summary: string): readonly string[] {
  return safetyOf({ kept }, inputOf(messages), summary).map(({ kind, fate, index, text }) => `${kind} ${fate} ${index} ${text}`);
}

const RULE = 'Never touch the `legacy` folder.';
const SESSION = talk(asks(`Please tidy the parser.\n${RULE}`), says('Done.'), asks('Now the tests,\nall of them'), says('Working.'));

describe('what a plan does to what people would miss', () => {
  it('a kept message keeps it', () =>
    assert.deepEqual(judged(SESSION, [0, 1, 2, 3], ''), ['lastRequest kept 2 Now the tests,\nall of them', `constraint kept 0 ${RULE}`]));
  it('a summary that holds it word for word quotes it, whatever its marks and line ends', () =>
    assert.deepEqual(judged(SESSION, [], '```\nNow the tests,\nall of them\n```\n- Never touch the legacy folder.'), [
      'lastRequest quoted 2 Now the tests,\nall of them',
      `constraint quoted 0 ${RULE}`,
    ]));
  it('other words are no quotation', () =>
    assert.deepEqual(judged(SESSION, [3], 'The legacy folder must not be touched; now all of the tests.'), [
      'lastRequest atRisk 2 Now the tests,\nall of them',
      `constraint atRisk 0 ${RULE}`,
    ]));
  it('a rule that is said again in a kept message is kept', () => {
    const messages = talk(asks(RULE), says('Fine.'), asks(`Remember:\n${RULE}`));
    assert.deepEqual(judged(messages, [2], '')[1], `constraint kept 0 ${RULE}`);
  });
  it('a long request counts by its ends, as it is quoted', () => {
    const long = `Begin here. ${'log line of the program\n'.repeat(3_000)} and end there.`;
    const messages = talk(asks(long), says('Reading.'), bash('ls', 'x\n'.repeat(9_000)));
    const summary = summarizeOffline(messages, { direction: undefined });
    assert.ok(!summary.includes(long));
    assert.ok(judged(messages, [], summary)[0]?.startsWith('lastRequest quoted 0 Begin here.'));
  });
  it('calls without a result, wherever they stand; answered ones are none', () => {
    const messages = talk(
      bash('make', 'ok'),
      uses('Task', { prompt: 'look' }),
      asks('stop'),
      uses('Bash', { command: 'npm test -- --watch' }),
    );
    assert.deepEqual(judged(messages, [3, 4], 'Calls without a result here: Task `look`').slice(0, 2), [
      'openCall quoted 2 Task look',
      'openCall kept 4 Bash npm test -- --watch',
    ]);
  });
  it('the rules at risk come first, questions are none', () => {
    const messages = talk(asks('Always sign commits.'), asks('Must I wait? Never push to main.'), says('No.'));
    assert.deepEqual(
      judged(messages, [], 'Always sign commits.').filter((line) => line.startsWith('constraint')),
      ['constraint atRisk 1 Never push to main.', 'constraint quoted 0 Always sign commits.'],
    );
  });
  it('what the program handled itself is no request', () => {
    const messages = talk(
      asks('Fix it.'),
      asks('<command-name>/compact</command-name>'),
      asks('<local-command-stdout>ok</local-command-stdout>'),
    );
    assert.ok(judged(messages, [], '')[0]?.startsWith('lastRequest atRisk 0 Fix it.'));
  });
  it('takes linear time', () => {
    const many = (count: number) => talk(...Array.from({ length: count }, (_, at) => asks(`Never use name ${at} in the ${at * 7} list.`)));
    const time = (count: number): number => {
      const messages = many(count);
      const before = process.cpuUsage().user;
      safetyOf({ kept: [] }, inputOf(messages), 'Never use name\n'.repeat(5_000));
      return process.cpuUsage().user - before;
    };
    time(500);
    assert.ok(time(16_000) < 40 * Math.max(time(2_000), 5_000));
  });
});
