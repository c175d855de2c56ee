import assert from 'node:assert/strict';
import { join } from 'node:path';
import { cli } from '../../support/cli';
import { AGENT_FIXTURES } from '../../support/folders';

const FILE = join(AGENT_FIXTURES, 'claude-code-2.1.332', 'after-compact.jsonl');

describe('command line: inspect --boundary', () => {
  it('tells in words what a compaction did', async () => {
    const { status, out } = await cli(['inspect', FILE, '--boundary', '1']);
    assert.equal(status, 0);
    assert.match(out, /compaction 1: ~\d+\.\dK → ~\d+\.\dK\n31 messages left the context, 1 stayed word for word/);
    assert.match(out, /the records around it hang together/);
    assert.match(out, /request +#0 +TURN-1 please list the folder/);
    assert.match(out, /#37 +put back by the agent +\S+NOTES\.md/);
  });

  it('tells the same as one JSON object', async () => {
    const { status, out } = await cli(['inspect', FILE, '--boundary', '1', '--json']);
    assert.equal(status, 0);
    const report: unknown = JSON.parse(out);
    assert.ok(typeof report === 'object' && report !== null);
    const { schema, file, index, summarizedCount, keptCount, faults, ofSummary } = report as Record<string, unknown>;
    assert.deepEqual(
      { schema, file, index, summarizedCount, keptCount, faults, ofSummary },
      { schema: 'context-inspector/boundary/v1', file: FILE, index: 0, summarizedCount: 31, keptCount: 1, faults: [], ofSummary: false },
    );
  });

  it('says that there is no such one', async () => {
    assert.deepEqual(await cli(['inspect', FILE, '--boundary', '2']), {
      status: 2,
      out: '',
      err: 'There is no compaction 2; this session has one.\n',
    });
    const { status, err } = await cli(['inspect', join(AGENT_FIXTURES, 'claude-code-2.1.332', 'before-compact.jsonl'), '--boundary', '1']);
    assert.deepEqual([status, err], [2, 'There is no compaction 1; this session has not been compacted.\n']);
    assert.equal((await cli(['inspect', FILE, '--boundary', '0'])).status, 2);
  });
});
