import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dashedFolder } from '../../../src/node/sources/agents/claudeCode';
import { agentFolders, discoverSessions, type AgentFolders } from '../../../src/node/sources/discovery';
import type { DiscoverOptions } from '../../../src/node/engine/contract';
import { inFolder } from '../../support/folders';
import { user } from '../transcript/claudeLines';
import { item, message, meta } from '../transcript/codexLines';

const FIXTURES = join(process.cwd(), 'test', 'fixtures');
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
    await inFolder((home) => work(home, agentFolders({ HOME: home }, 'linux')));
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

  const rootsOf = (agents: AgentFolders, id: string): readonly string[] =>
    agents.filter(({ places }) => places.id === id).flatMap(({ roots }) => roots);

  it('looks where the environment says', () => {
    const desktop = 'Claude/local-agent-mode-sessions';
    const plain = agentFolders({ HOME: '/h' }, 'linux');
    assert.deepEqual(rootsOf(plain, 'claude-code'), ['/h/.claude/projects', '/h/.config/claude/projects', `/h/.config/${desktop}`]);
    assert.deepEqual(rootsOf(plain, 'codex'), ['/h/.codex/sessions']);
    const set: Record<string, readonly [Record<string, string>, string]> = {
      'claude-code': [{ CLAUDE_CONFIG_DIR: '/c, /d' }, `/c/projects /d/projects /h/.config/${desktop}`],
      codex: [{ CODEX_HOME: '/x' }, '/x/sessions'],
      gemini: [{ GEMINI_CLI_HOME: '/g' }, '/g/.gemini/tmp'],
      qwen: [{}, '/h/.qwen/projects /h/.qwen/tmp'],
      'docker-agent': [{}, '/h/.cagent'],
      opencode: [{ XDG_DATA_HOME: '/x', KILO_DATA_DIR: '/k, /l' }, '/x/opencode /x/opencode/storage/session /k /l'],
      'copilot-cli': [{ COPILOT_HOME: '/c', XDG_STATE_HOME: '/s' }, '/c/session-state /s/.copilot/session-state'],
      continue: [{ CONTINUE_GLOBAL_DIR: '/c' }, '/c/sessions'],
      goose: [{ GOOSE_PATH_ROOT: '/g' }, '/g/data/sessions /g/sessions /g/data/sessions /g/sessions'],
      pi: [{ PI_CODING_AGENT_DIR: '/p' }, '/p/sessions'],
      openhands: [{}, '/h/.openhands/conversations /h/.openhands/sessions'],
    };
    for (const [id, [env, roots]] of Object.entries(set)) {
      assert.deepEqual(rootsOf(agentFolders({ HOME: '/h', ...env }, 'linux'), id), roots.split(' '), id);
    }
    assert.deepEqual(rootsOf(agentFolders({ HOME: '', USERPROFILE: '/u' }, 'linux'), 'codex'), ['/u/.codex/sessions']);
  });

  it('knows the folders of each system, and of servers', () => {
    const storage = 'globalStorage/saoudrizwan.claude-dev';
    const systems: readonly (readonly [NodeJS.Platform, Record<string, string>, string])[] = [
      ['linux', {}, `/h/.config/Code/User/${storage}`],
      ['linux', { XDG_CONFIG_HOME: '/x' }, `/x/VSCodium/User/${storage}`],
      ['linux', {}, `/h/.vscode-server/data/User/${storage}`],
      ['linux', { VSCODE_PORTABLE: '/p' }, `/p/user-data/User/${storage}`],
      ['darwin', {}, `/h/Library/Application Support/Cursor/User/${storage}`],
      ['win32', { APPDATA: '/h/AppData/Roaming' }, `/h/AppData/Roaming/Code - Insiders/User/${storage}`],
      ['win32', {}, '/h/.cline/data'],
    ];
    for (const [platform, env, folder] of systems) {
      assert.ok(rootsOf(agentFolders({ HOME: '/h', ...env }, platform), 'cline').includes(folder), folder);
    }
    assert.ok(rootsOf(agentFolders({ HOME: '/h', APPDATA: '/a' }, 'win32'), 'goose').includes('/a/Block/goose/data/sessions'));
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

  inHome('finds the sessions of every agent, of a folder and of the machine', async (home, agents) => {
    const folder = join(home, 'jars');
    mkdirSync(folder);
    const json = (path: string, value: unknown): void => put(join(home, path), `${JSON.stringify(value)}\n`);
    const fixture = (from: string, to: string): void => {
      mkdirSync(dirname(join(home, to)), { recursive: true });
      cpSync(join(FIXTURES, from), join(home, to), { recursive: true });
    };
    const at = { timestamp: '2026-01-01T00:00:00Z' };
    json('.qwen/projects/-jars/chats/q.jsonl', {
      uuid: '1',
      parentUuid: null,
      sessionId: 'q',
      ...at,
      type: 'user',
      cwd: folder,
      message: { role: 'user', parts: [{ text: 'go' }] },
    });
    json('.pi/agent/sessions/--jars--/p.jsonl', { type: 'session', version: 3, id: 'p', ...at, cwd: folder });
    json('.copilot/session-state/c/events.jsonl', {
      type: 'session.start',
      id: '1',
      parentId: null,
      ...at,
      data: { sessionId: 'c', producer: 'copilot-agent', version: 1, context: { cwd: folder } },
    });
    json('.gemini/projects.json', { projects: { [folder]: 'jars' } });
    json('.gemini/tmp/jars/chats/session-2026-01-01T00-00-abc.jsonl', {
      sessionId: 'g',
      projectHash: 'x',
      startTime: at.timestamp,
      lastUpdated: at.timestamp,
    });
    json(`.gemini/tmp/${createHash('sha256').update(folder).digest('hex')}/chats/session-old.json`, {
      sessionId: 'o',
      projectHash: 'x',
      messages: [],
    });
    json('.gemini/tmp/other/chats/session-x.json', { sessionId: 'x', projectHash: 'y', messages: [] });
    json('.continue/sessions/sessions.json', [{ sessionId: 'n', title: 'N', workspaceDirectory: `file://${folder}` }]);
    json('.continue/sessions/n.json', { sessionId: 'n', history: [] });
    json('.config/Code/User/workspaceStorage/1/workspace.json', { folder: `file://${folder}` });
    json('.config/Code/User/workspaceStorage/1/chatSessions/z.json', { version: 3, sessionId: 'z', requests: [], pad: 'x'.repeat(2000) });
    fixture('cline/task', '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1764000000000');
    json('.config/Code/User/globalStorage/saoudrizwan.claude-dev/state/taskHistory.json', [
      { id: '1764000000000', task: 'T', cwdOnTaskInitialization: folder },
    ]);
    fixture('roo/ok', '.vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/tasks/a');
    json('.vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/tasks/a/history_item.json', { id: 'a', workspace: folder });
    fixture('kilo/ok', '.config/Cursor/User/globalStorage/kilocode.kilo-code/tasks/b');
    json('.config/Cursor/User/globalStorage/kilocode.kilo-code/tasks/b/history_item.json', { id: 'b', workspace: folder });
    json('.cline/data/sessions/s/s.json', { session_id: 's', messages_path: 'x', cwd: folder });
    json('.cline/data/sessions/s/s.messages.json', { sessionId: 's', system_prompt: '', messages: [] });
    fixture('docker-agent/ok.db', '.cagent/session.db');
    fixture('docker-agent/ok.db-wal', '.cagent/session.db-wal');
    fixture('goose/sessions.db', '.local/share/goose/sessions/sessions.db');
    fixture('opencode/storage', '.local/share/opencode/storage');
    json('.openhands/conversations/h/base_state.json', { workspace: { working_dir: folder } });
    json('.openhands/conversations/h/events/event-00000-a.json', { id: 'a', kind: 'PauseEvent', source: 'user', ...at });
    fixture('aider/ok.md', 'jars/.aider.chat.history.md');
    json('jars/runs/one.traj', { trajectory: [], history: [], info: {} });
    json('jars/runs/agent/trajectory.json', { schema_version: 'ATIF-v1.2', steps: [] });
    const own = await found(agents, home, { folders: [folder] });
    const user = '.config/Code/User';
    for (const session of [
      'qwen .qwen/projects/-jars/chats/q.jsonl',
      'pi .pi/agent/sessions/--jars--/p.jsonl',
      'copilot-cli .copilot/session-state/c/events.jsonl',
      'gemini .gemini/tmp/jars/chats/session-2026-01-01T00-00-abc.jsonl',
      'continue .continue/sessions/n.json',
      `copilot-chat ${user}/workspaceStorage/1/chatSessions/z.json`,
      `cline ${user}/globalStorage/saoudrizwan.claude-dev/tasks/1764000000000`,
      'cline .cline/data/sessions/s',
      'roo .vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/tasks/a',
      'kilo .config/Cursor/User/globalStorage/kilocode.kilo-code/tasks/b',
      'openhands .openhands/conversations/h',
      'aider jars/.aider.chat.history.md',
      'swe-agent jars/runs/one.traj',
      'atif jars/runs/agent/trajectory.json',
    ]) {
      assert.ok(own.includes(session), `${session}\n${own.join('\n')}`);
    }
    assert.ok(own.some((session) => session.startsWith('gemini') && session.endsWith('session-old.json')));
    assert.ok(!own.some((session) => session.includes('tmp/other')));
    const all = await found(agents, home, { all: true });
    for (const session of [
      'docker-agent .cagent/session.db#session-1',
      'docker-agent .cagent/session.db#older',
      'goose .local/share/goose/sessions/sessions.db#20251124_1',
      'opencode .local/share/opencode/storage/session/proj1/ses_1.json',
      'gemini .gemini/tmp/other/chats/session-x.json',
    ]) {
      assert.ok(all.includes(session), `${session}\n${all.join('\n')}`);
    }
    assert.ok(all.includes('aider jars/.aider.chat.history.md'), 'where other agents have worked');
    const jars = await found(agents, home, { folders: ['/home/dev/jars'] });
    assert.ok(jars.includes('docker-agent .cagent/session.db#session-1'), 'a database names the folder of each session');
    assert.ok(!jars.includes('goose .local/share/goose/sessions/sessions.db#20251123_1'), 'of another folder');
  });

  inHome('finds the chats of a workspace with several folders', async (home, agents) => {
    const storage = '.config/Code/User/workspaceStorage';
    const chat = JSON.stringify({ version: 3, sessionId: 'z', requests: [], pad: 'x'.repeat(2000) });
    const kept = (name: string, about: unknown): void => {
      put(join(home, storage, name, 'workspace.json'), JSON.stringify(about));
      put(join(home, storage, name, 'chatSessions/z.json'), chat);
    };
    put(join(home, 'both.code-workspace'), `{ // the two\n "folders": [{ "path": "one" }, { "uri": "file://${home}/two" },], }`);
    kept('1', { workspace: `file://${home}/both.code-workspace` });
    kept('2', { configuration: `file://${home}/both.code-workspace` });
    kept('3', { workspace: `file://${home}/gone.code-workspace` });
    put(join(home, 'odd.code-workspace'), '{ "folders": 7');
    kept('4', { workspace: `file://${home}/odd.code-workspace` });
    const chats = (...names: readonly string[]): readonly string[] =>
      names.map((name) => `copilot-chat ${storage}/${name}/chatSessions/z.json`);
    for (const folder of ['one', 'two']) {
      assert.deepEqual(await found(agents, home, { folders: [join(home, folder)] }), chats('2', '1'), folder);
    }
    assert.deepEqual(await found(agents, home, { folders: [join(home, 'three')] }), []);
    assert.deepEqual(await found(agents, home, { all: true }), chats('4', '3', '2', '1'));
  });

  inHome('hangs the sessions of sub-agents below theirs', async (home, agents) => {
    const folder = join(home, 'app');
    const project = join(home, '.claude/projects', dashedFolder(folder));
    const lines = (sessionId: string): string => `${user({ uuid: 'u', parent: null, more: { cwd: folder, sessionId } }, 'go')}\n`;
    put(join(project, 'parent.jsonl'), lines('parent'));
    put(join(project, 'parent/subagents/agent-new.jsonl'), lines('parent'));
    put(join(project, 'parent/subagents/workflows/w/agent-flow.jsonl'), lines('parent'));
    put(join(project, 'parent/subagents/workflows/w/journal.jsonl'), lines('parent'));
    put(join(project, 'agent-old.jsonl'), lines('parent'));
    put(join(project, 'agent-lost.jsonl'), lines('gone'));
    const id = '0199aaaa-0000-7000-8000-000000000001';
    const spawned = { source: { subagent: { thread_spawn: { parent_thread_id: id, depth: 1 } } } };
    put(
      join(home, `.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-${id}.jsonl`),
      `${meta({ cwd: folder, id })}\n${item(message('user', 'go'))}\n`,
    );
    put(
      join(home, '.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-01-0199aaaa-0000-7000-8000-000000000002.jsonl'),
      `${meta({ cwd: folder, ...spawned })}\n`,
    );
    mkdirSync(join(home, '.cagent'));
    for (const end of ['', '-wal']) cpSync(join(FIXTURES, `docker-agent/ok.db${end}`), join(home, `.cagent/session.db${end}`));
    put(join(home, '.config/Claude/local-agent-mode-sessions/a/b/local_c/.claude/projects/-x/desktop.jsonl'), lines('desktop'));
    const { sessions } = await discoverSessions({ folders: [], all: true, extraPaths: {}, limit: 50 }, agents);
    const nested = sessions.map((one) => [
      one.path.split('/').at(-1)?.slice(-14),
      ...one.subagents.map((child) => child.path.split('/').at(-1)?.slice(-14)),
    ]);
    assert.deepEqual(
      nested.map((names) => names.join(' < ')).sort(),
      [
        '00000001.jsonl < 00000002.jsonl',
        'desktop.jsonl',
        'ssion.db#older',
        'n.db#session-1 < ssion.db#child',
        'parent.jsonl < gent-old.jsonl < ent-flow.jsonl < gent-new.jsonl',
      ].sort(),
    );
  });
});
