import assert from 'node:assert/strict';
import { toolResultText, type Message, type ToolResultBlock } from '../../../src/core/model/message';
import { normalizeEmptyResult } from '../../../src/core/toolResults/emptyResult';
import { enforceMessageBudget } from '../../../src/core/toolResults/messageBudget';
import { persistedOutputText, previewOf } from '../../../src/core/toolResults/preview';
import { truncateToolResults } from '../../../src/core/toolResults/truncate';
import { user } from '../../support/messages';

function withResults(...contents: readonly ToolResultBlock['content'][]): Message {
  return user('', { content: contents.map((content, at) => ({ type: 'toolResult', toolUseId: `t${at}`, content })) });
}

function texts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'toolResult' ? [toolResultText(block)] : [])));
}

describe('previewOf', () => {
  it('counts bytes, and cuts before the character that does not fit', () => {
    assert.equal(previewOf('a\n' + 'x'.repeat(1997) + '\u{1F98A}' + 'y').text, 'a\n' + 'x'.repeat(1997));
    assert.deepEqual(previewOf('漢'.repeat(666) + 'xx'), { text: '漢'.repeat(666) + 'xx', hasMore: false });
    assert.equal(previewOf('漢'.repeat(700)).text, '漢'.repeat(85));
  });
});

describe('persistedOutputText', () => {
  it('says where all of it is, how much that is, and whether there is more than the preview', () => {
    const short =
      '<persisted-output>\nToo much output (3 bytes). All of it is here: /p\n\nBeginning (at most 2KB):\nabc\n</persisted-output>';
    assert.equal(persistedOutputText('/p', 3, 'abc'), short);
    assert.match(persistedOutputText('/p', 3000, 'x\n'.repeat(1500)), /\(2\.9KB\)[^]*x\n\.\.\.\n<\/persisted-output>$/);
  });
});

describe('truncateToolResults', () => {
  it('keeps messages without a long result as they are, and media whole', () => {
    const media = withResults([{ type: 'text', text: 'x'.repeat(20_000) }, { type: 'image' }]);
    const small = withResults('x'.repeat(15_000));
    const view = truncateToolResults([media, small]);
    assert.equal(view[0], media);
    assert.equal(view[1], small);
  });

  it('drops blocks with their text', () => {
    const [text] = texts(
      truncateToolResults(
        [
          withResults([
            { type: 'text', text: 'ab' },
            { type: 'text', text: 'cd' },
          ]),
        ],
        3,
      ),
    );
    assert.equal(text, 'ab\n\n\n[cut; length was 5 characters]');
  });
});

describe('enforceMessageBudget', () => {
  it('is about each message by itself, the largest first, down to the limit and not further', () => {
    const messages = [withResults('a'.repeat(120_000), 'b'.repeat(90_000)), withResults('c'.repeat(199_000))];
    const view = enforceMessageBudget(messages);
    assert.equal(view[1], messages[1]);
    const [a = '', b = ''] = texts(view);
    assert.equal(a, `${'a'.repeat(2000)}\n\n[only the beginning is kept here; all: 120000 characters]`);
    assert.equal(b.length, 90_000);
  });

  it('leaves short results alone, however many there are', () => {
    for (const length of [2000, 2010]) {
      // The preview of the longer ones would be 2,000 bytes and the note, which is more than they are.
      const messages = [withResults(...Array.from({ length: 150 }, () => 'x'.repeat(length)))];
      assert.equal(enforceMessageBudget(messages), messages);
    }
  });
});

describe('normalizeEmptyResult', () => {
  it('keeps a picture and what is known besides', () => {
    const picture: ToolResultBlock = { type: 'toolResult', toolUseId: 't', content: [{ type: 'image' }] };
    assert.equal(normalizeEmptyResult(picture, 'Read'), picture);
    const empty = normalizeEmptyResult({ type: 'toolResult', toolUseId: 't', content: ' \n', isError: true }, 'Read');
    assert.deepEqual(empty, { type: 'toolResult', toolUseId: 't', content: '(Read finished without any output)', isError: true });
  });
});

describe('toolResultText', () => {
  it('takes the plain text where the blocks say nothing', () => {
    const block = (content: ToolResultBlock['content']): ToolResultBlock => ({
      type: 'toolResult',
      toolUseId: 't',
      content,
      plainText: 'plain',
    });
    assert.equal(toolResultText(block([{ type: 'text', text: '' }])), 'plain');
    assert.equal(toolResultText(block([{ type: 'toolReference', name: 'n' }])), 'plain');
    assert.equal(
      toolResultText(
        block([
          { type: 'toolReference', name: 'n' },
          { type: 'text', text: 'x' },
        ]),
      ),
      '[tool:n]\nx',
    );
    assert.equal(toolResultText(block([{ type: 'image' }])), '[image]');
  });
});
