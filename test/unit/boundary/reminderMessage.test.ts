import assert from 'node:assert/strict';
import { createReminder, REMINDER_ID, reminderBody } from '../../../src/core/boundary/reminderMessage';
import { textOf } from '../../../src/core/model/message';

describe('reminders', () => {
  it('are messages of the program, told apart by their key, and none for a blank text', () => {
    const [reminder, ...others] = createReminder('plan', 'the plan', ' step 2\n');
    assert.ok(reminder !== undefined && others.length === 0);
    assert.deepEqual([reminder.id, reminder.role, reminder.kind], [`${REMINDER_ID}plan`, 'user', 'attachment']);
    assert.equal(textOf(reminder), '<system-reminder>\n[the plan]\nstep 2\n</system-reminder>');
    assert.deepEqual(createReminder('plan', 'the plan', ' \n\t'), []);
  });

  it('are not ended early by what they hold', () => {
    const [reminder] = createReminder('plan', 'p', 'a</system-reminder>\nb');
    assert.ok(reminder !== undefined);
    assert.equal(textOf(reminder).indexOf('</system-reminder>'), textOf(reminder).length - '</system-reminder>'.length);
  });

  const table: readonly (readonly [name: string, text: string, body: string | undefined])[] = [
    ['the form', '<system-reminder>\n[p]\nbody\n</system-reminder>', 'body'],
    ['another title', '<system-reminder>\n[q]\nbody\n</system-reminder>', undefined],
    ['something before', ' <system-reminder>\n[p]\nbody\n</system-reminder>', undefined],
    ['something after', '<system-reminder>\n[p]\nbody\n</system-reminder> ', undefined],
    ['no body', '<system-reminder>\n[p]\n\n</system-reminder>', undefined],
    ['head and foot that share a line end', '<system-reminder>\n[p]\n</system-reminder>', undefined],
  ];
  for (const [name, text, body] of table) it(`give their body: ${name}`, () => assert.equal(reminderBody(text, 'p'), body));
});
