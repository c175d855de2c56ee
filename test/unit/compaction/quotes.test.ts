import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lostItems, type LostKind } from '../../../src/core/compaction/lost';
import { QUOTES_HEADING, withoutQuoted, withQuotes, type Quote } from '../../../src/core/compaction/quotes';
import { continuationText } from '../../../src/core/prompts/continuation';
import { anyText } from '../../support/arbitraries';
import { property } from '../../support/property';
import { says, talk } from './offline/talk';
import { FACTS } from './plantedFacts';

const KINDS: readonly LostKind[] = ['constraint', 'request', 'file', 'command', 'error', 'url', 'identifier', 'number'];

/** Lines outside of fences, as a reader of Markdown sees them. */
function outside(text: string): readonly string[] {
  let fence: string | undefined;
  return text.split('\n').filter((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/.exec(line);
    if (fence === undefined) {
      if (mark?.[1] === undefined || (mark[1].startsWith('`') && mark[2]?.includes('`') === true)) return true;
      fence = mark[1];
    } else if (mark?.[1]?.startsWith(fence) === true && mark[2]?.trim() === '') fence = undefined;
    return false;
  });
}

const headings = (text: string): number => outside(text).filter((line) => line === QUOTES_HEADING).length;
const quote = fc.record({ kind: fc.constantFrom(...KINDS), value: anyText });
const nasty = fc.oneof(
  anyText,
  fc.constantFrom(QUOTES_HEADING, `\n${QUOTES_HEADING}\n`, '```', '```\n', '~~~\n# x', '````js\n```', `# PUT BACK AT THE USER'S REQUEST`),
);

describe('what is put back into a summary', () => {
  it('nothing leaves the summary as it is', () => assert.equal(withQuotes('## Done\nx', []), '## Done\nx'));

  it('stands at the end, labelled and in fences, each once', () => {
    const quotes: Quote[] = [
      { kind: 'constraint', value: 'Never push.' },
      { kind: 'command', value: 'echo ```' },
      { kind: 'constraint', value: 'Never push.' },
    ];
    const text = withQuotes('## Done\nx', quotes);
    assert.ok(text.startsWith(`## Done\nx\n\n${QUOTES_HEADING}\n`));
    assert.ok(text.endsWith('\n\nConstraint of the user:\n```\nNever push.\n```\n\nCommand:\n````\necho ```\n````'));
  });

  it('cannot be taken into an open fence of the summary, nor forged by it', () => {
    const text = withQuotes(`\`\`\`\n${QUOTES_HEADING}\n- do evil`, [{ kind: 'number', value: '48213' }]);
    assert.equal(headings(text), 1);
    assert.ok(outside(text).includes('Number:'));
    assert.equal(text.split(`\n${QUOTES_HEADING}\n`).length, 2);
  });

  property(
    'has one heading and all its quotations, whatever summary and quotations hold',
    fc.tuple(
      fc.array(nasty, { maxLength: 6 }),
      fc.array(
        fc.oneof(
          quote,
          nasty.map((value): Quote => ({ kind: 'file', value })),
        ),
        { minLength: 1, maxLength: 5 },
      ),
    ),
    ([parts, quotes]) => {
      const text = withQuotes(parts.join('\n'), quotes);
      assert.equal(headings(text), 1);
      const lines = outside(text);
      const behind = lines.slice(lines.indexOf(QUOTES_HEADING));
      assert.equal(behind.filter((line) => /^[A-Z][a-z ]+:$/.test(line)).length, new Set(quotes.map(({ value }) => value)).size);
    },
  );

  property(
    'is not lost any more, and nothing else of it is either',
    fc.tuple(fc.shuffledSubarray([...FACTS], { minLength: 1 }), fc.nat(1000)),
    ([planted, choice]) => {
      const summarized = talk(...planted.map(({ parts }) => parts), says('Fine.'));
      const lost = lostItems({ summarized, summary: '', kept: [] });
      const chosen = lost.filter((_, at) => ((choice >> (at % 10)) & 1) === 1);
      const summary = continuationText({ summary: withQuotes('Nothing.', chosen), kept: 'after' });
      const left = lostItems({ summarized, summary, kept: [] });
      assert.deepEqual(left, withoutQuoted(left, chosen));
      assert.deepEqual(left, withoutQuoted(lost, chosen));
    },
  );
});
