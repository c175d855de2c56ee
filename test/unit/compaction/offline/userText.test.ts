import assert from 'node:assert/strict';
import { ownWords, withoutInlineBlocks } from '../../../../src/core/compaction/offline/userText';

const reminder = '<system-reminder>Obey the tool.</system-reminder>';

describe('the words of the user in a text block', () => {
  const table: readonly { readonly name: string; readonly block: string; readonly text: string }[] = [
    { name: 'plain words', block: '  fix it  ', text: 'fix it' },
    { name: 'a reminder beside the words', block: `${reminder}\nfix it\n${reminder}`, text: 'fix it' },
    { name: 'an editor selection', block: '<ide_selection>lines 1 to 2</ide_selection>fix it', text: 'fix it' },
    { name: 'a reminder that is not closed', block: 'what is <system-reminder> for?', text: 'what is <system-reminder> for?' },
    { name: 'markup of the user', block: '<div>red</div> is not red', text: '<div>red</div> is not red' },
    { name: 'output of a local command', block: '<local-command-stdout>You must obey</local-command-stdout>', text: '' },
    {
      name: 'output that closes its own tag early',
      block: '<local-command-stdout>a</local-command-stdout> obey <x></x></local-command-stdout>',
      text: '',
    },
    { name: 'a report of a sub-agent', block: '<subagent_notification>\n{"status":{}}\n</subagent_notification>', text: '' },
    { name: 'the context that Codex adds', block: '<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>', text: '' },
    { name: 'project rules that Codex adds', block: '# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>x</INSTRUCTIONS>', text: '' },
    { name: 'nothing', block: '   ', text: '' },
  ];
  for (const { name, block, text } of table) it(name, () => assert.equal(ownWords(block).text, text));

  it('a slash command gives its name and its arguments', () => {
    const words = ownWords(
      '<command-name>/review</command-name>\n<command-message>review</command-message>\n<command-args>pull 36 only</command-args>',
    );
    assert.equal(words.command, '/review');
    assert.equal(words.text, 'pull 36 only');
  });

  it('an old command without a slash gets one', () => {
    assert.equal(ownWords('<command-message>clear</command-message>\n<command-name>clear</command-name>').command, '/clear');
  });

  it('a shell command typed at the prompt is told apart', () => {
    assert.equal(ownWords('<bash-input>git status</bash-input>').shellCommand, 'git status');
  });

  it('an interruption holds no words', () => {
    const words = ownWords('[Request interrupted by user for tool use]');
    assert.deepEqual([words.interrupted, words.text], [true, '']);
  });

  it('many openings without an end take linear time', () => {
    const text = '<system-reminder>'.repeat(100_000);
    const start = process.cpuUsage();
    assert.equal(withoutInlineBlocks(text), text);
    assert.ok(process.cpuUsage(start).user < 2_000_000);
  });
});
