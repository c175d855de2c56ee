import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentFolders, dashedFolder, discoverSessions, type AgentFolders } from '../../../src/node/sources/discovery';
import type { DiscoverOptions } from '../../../src/node/engine/contract';
import { inFolder } from '../../support/folders';
import { user } from '../transcript/claudeLines';
import { item, message, meta } from '../transcript/codexLines';

let clock = 1_700_000_000;

/** Writes a file that is newer than those before it. */
function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  clock += 10;
  utimesSync(path, clock, clock);
}

const claude = (cwd: string): string => `${user({ uuid: 'u', parent: null, more: { cwd } }, 'go')}\n`;
const codex = (cwd: string): string => `${meta({ cwd })}\n${item(message('user', 'go'))}\n`;

function inHome(name: string, work: (home: string, agents: AgentFolders) => Promise<void>): void {
  it(name, async function () {
    this.timeout(20_000);
    await inFolder((home) => work(home, agentFolders({ HOME: home })));
  });
}

async function found(agents: AgentFolders, home: string, options: Partial<DiscoverOptions>): Promise<readonly string[]> {
  const { sessions } = await discoverSessions({ folders: [], all: false, extraPaths: {}, limit: 50, ...options }, agents);
  return sessions.map((session) => `${session.format} ${session.path.slice(home.length + 1)}`);
}

describe('discovery', () => {
  const names: readonly (readonly [string, string])[] = [
    ['/home/x/my.app', '-home-x-my-app'],
    ['C:\\Users\\x\\my app', 'C--Users-x-my-app'],
    ['/home/x/über', '-home-x--ber'],
  ];
  for (const [cwd, name] of names) it(`${cwd} is kept under ${name}`, () => assert.equal(dashedFolder(cwd), name));

  it('looks where the environment says', () => {
    assert.deepEqual(agentFolders({ HOME: '/h' }), {
      claudeProjects: ['/h/.claude/projects', '/h/.config/claude/projects'],
      codexHomes: ['/h/.codex'],
    });
    assert.deepEqual(agentFolders({ HOME: '/h', CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x' }), {
      claudeProjects: ['/c/projects'],
      codexHomes: ['/x'],
    });
    assert.deepEqual(agentFolders({ HOME: '', USERPROFILE: '/u' }).codexHomes, ['/u/.codex']);
  });

  inHome('finds the sessions of a folder, newest first, in all places', async (home, agents) => {
    const folder = join(home, 'work', 'my.app');
    mkdirSync(folder, { recursive: true });
    put(join(home, '.claude/projects', dashedFolder(folder), 'one.jsonl'), claude(folder));
    put(join(home, '.config/claude/projects', dashedFolder(folder), 'two.jsonl'), claude(folder));
    put(join(home, '.claude/projects', dashedFolder(join(home, 'else')), 'other.jsonl'), claude(join(home, 'else')));
    put(join(home, '.codex/sessions/2026/01/31/rollout-a.jsonl'), codex(join(folder, 'sub')));
    put(join(home, '.codex/sessions/2026/02/01/rollout-b.jsonl'), codex(folder));
    put(join(home, '.codex/sessions/2026/02/01/rollout-c.jsonl'), codex(`${folder}-two`));
    put(join(home, '.codex/archived_sessions/rollout-d.jsonl'), codex(folder));
    put(join(folder, '.codex/sessions/2026/02/02/rollout-e.jsonl'), codex('/anywhere'));
    put(join(folder, 'logs/deep/session.jsonl'), claude('/anywhere'));
    assert.deepEqual(await found(agents, home, { folders: [folder] }), [
      'claude-code work/my.app/logs/deep/session.jsonl',
      'codex work/my.app/.codex/sessions/2026/02/02/rollout-e.jsonl',
      'codex .codex/archived_sessions/rollout-d.jsonl',
      'codex .codex/sessions/2026/02/01/rollout-b.jsonl',
      'codex .codex/sessions/2026/01/31/rollout-a.jsonl',
      `claude-code .config/claude/projects/${dashedFolder(folder)}/two.jsonl`,
      `claude-code .claude/projects/${dashedFolder(folder)}/one.jsonl`,
    ]);
  });

  inHome('finds all sessions of the machine, up to the limit', async (home, agents) => {
    put(join(home, '.claude/projects/-a/one.jsonl'), claude('/a'));
    put(join(home, '.codex/sessions/2026/01/31/rollout-a.jsonl'), codex('/b'));
    put(join(home, '.claude/projects/-c/three.jsonl'), claude('/c'));
    assert.deepEqual(await found(agents, home, { all: true, limit: 2 }), [
      'claude-code .claude/projects/-c/three.jsonl',
      'codex .codex/sessions/2026/01/31/rollout-a.jsonl',
    ]);
    assert.deepEqual(await found(agents, home, {}), [], 'no folder, no session');
  });

  inHome('goes by the content and not by name or place', async (home, agents) => {
    const folder = join(home, 'app');
    const project = join(home, '.claude/projects', dashedFolder(folder));
    put(join(project, 'codex.jsonl'), codex(folder));
    put(join(project, 'log.jsonl'), '{"level":"info"}\n');
    put(join(project, 'empty.jsonl'), '');
    put(join(project, 'agent-1234.jsonl'), claude(folder));
    put(join(project, 'note.txt'), claude(folder));
    put(join(folder, 'binary.jsonl'), '\0\0\0\0');
    assert.deepEqual(await found(agents, home, { folders: [folder] }), [`codex .claude/projects/${dashedFolder(folder)}/codex.jsonl`]);
  });

  inHome('tells folders apart that share a dashed name', async (home, agents) => {
    const [dotted, dashed] = [join(home, 'my.app'), join(home, 'my-app')];
    const project = join(home, '.claude/projects', dashedFolder(dotted));
    put(join(project, 'dotted.jsonl'), claude(dotted));
    put(join(project, 'dashed.jsonl'), claude(dashed));
    put(join(project, 'moved.jsonl'), claude('/somewhere/else'));
    assert.deepEqual(
      (await found(agents, home, { folders: [dotted] })).map((one) => one.split('/').at(-1)),
      ['moved.jsonl', 'dotted.jsonl'],
    );
  });

  inHome('knows a folder by its real path too', async (home, agents) => {
    const real = join(home, 'real');
    const link = join(home, 'link');
    mkdirSync(real);
    symlinkSync(real, link);
    put(join(home, '.claude/projects', dashedFolder(real), 'one.jsonl'), claude(real));
    put(join(home, '.codex/sessions/2026/01/31/rollout-a.jsonl'), codex(real));
    assert.equal((await found(agents, home, { folders: [link] })).length, 2);
  });

  inHome('follows no link, enters no folder of packages, and goes a few levels deep', async (home, agents) => {
    const folder = join(home, 'app');
    put(join(home, 'outside/secret.jsonl'), claude('/x'));
    put(join(folder, 'node_modules/a/session.jsonl'), claude('/x'));
    put(join(folder, '.git/session.jsonl'), claude('/x'));
    put(join(folder, 'a/b/c/third.jsonl'), claude('/x'));
    put(join(folder, 'a/b/c/d/fourth.jsonl'), claude('/x'));
    symlinkSync(join(home, 'outside'), join(folder, 'linked'));
    symlinkSync(join(home, 'outside/secret.jsonl'), join(folder, 'linked.jsonl'));
    assert.deepEqual(await found(agents, home, { folders: [folder] }), ['claude-code app/a/b/c/third.jsonl']);
  });

  inHome('looks in more folders when asked, and says where it looked', async (home, agents) => {
    put(join(home, 'backup/sub/one.jsonl'), codex('/x'));
    const extra = join(home, 'backup');
    const missing = join(home, 'missing');
    const options = { folders: [missing], all: false, extraPaths: { codex: [extra] }, limit: 10 };
    const { sessions, lookedIn } = await discoverSessions(options, agents);
    assert.equal(sessions.length, 1);
    for (const place of [extra, missing, join(home, '.claude/projects'), join(home, '.codex/sessions')])
      assert.ok(lookedIn.includes(place), place);
  });

  inHome('reads no more than the beginning of a file', async (home, agents) => {
    const folder = join(home, 'app');
    const long = { base_instructions: { text: 'x'.repeat(100_000) } };
    put(join(home, '.codex/sessions/2026/01/31/rollout-a.jsonl'), `${meta({ cwd: folder, ...long })}\n${'not json\n'.repeat(1000)}`);
    assert.equal((await found(agents, home, { folders: [folder] })).length, 1);
  });

  inHome('stops when it is told to', async (home, agents) => {
    put(join(home, '.claude/projects/-a/one.jsonl'), claude('/a'));
    await assert.rejects(discoverSessions({ folders: [], all: true, extraPaths: {}, limit: 1 }, agents, AbortSignal.abort()), {
      name: 'AbortError',
    });
  });
});
