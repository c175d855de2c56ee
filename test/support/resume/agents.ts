// The real programs that resume our copies: where they come from, what they need in their home, and how they are told to go on.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FormatId } from '../../../src/core/model/transcript';
import { geminiDocument } from './geminiDocument';

/** Folders of one agent's runs. */
export interface Place {
  /** Where npm installed the program. */
  readonly program: string;
  readonly home: string;
  readonly project: string;
}

/** A copy as it is to be resumed. */
export interface WrittenFile {
  readonly sessionId: string;
  readonly path: string;
}

export interface RealAgent {
  readonly format: FormatId;
  /** Packages with exact versions; the first one is the agent. */
  readonly packages: readonly string[];
  /** Session of the shared folder that the copies are made of. */
  readonly source: string;
  /** Makes an older form of the session; the copies then end with `.json`. */
  readonly convert?: (text: string) => string;
  /** Rules of the stand-in server. */
  readonly rules: string;
  /** The counts of the session made so large that an agent that believes them compacts at once. */
  readonly enlarge: readonly (readonly [RegExp, string])[];
  readonly env: (place: Place) => Readonly<Record<string, string>>;
  /** Files of the agent's home, by path below it. */
  readonly home: (place: Place) => Readonly<Record<string, string>>;
  /**
   * Makes the session anew, where the shared one cannot tell: the vendor's texts are cut out of it, so that the agent would find its context
   * changed. A command a turn.
   */
  readonly record?: (place: Place) => readonly (readonly string[])[];
  /** Runs before the copies are written, where the agent makes its folders itself. */
  readonly before?: (place: Place) => readonly string[];
  readonly folder: (place: Place) => string;
  /** Brings a copy into the agent's storage. */
  readonly bring?: (place: Place, copy: WrittenFile) => readonly string[];
  readonly resume: (place: Place, copy: WrittenFile, prompt: string) => readonly string[];
}

const SERVER = 'http://127.0.0.1:8899';
const dashed = (path: string): string => path.replace(/[^a-zA-Z0-9]/g, '-');

const claude = ({ program }: Place): string => join(program, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude');
const codex = ({ program }: Place): string =>
  join(program, 'node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex');
const script =
  (path: string) =>
  ({ program }: Place): readonly string[] => ['node', join(program, 'node_modules', path)];
const pi = script('@mariozechner/pi-coding-agent/dist/cli.js');
const qwen = script('@qwen-code/qwen-code/cli.js');
const gemini = script('@google/gemini-cli/bundle/gemini.js');
const opencode = ({ program }: Place): string => join(program, 'node_modules/opencode-linux-x64/bin/opencode');

const GEMINI: RealAgent = {
  format: 'gemini',
  packages: ['@google/gemini-cli@0.61.0'],
  source: 'gemini-cli-0.61.0/before-compact.jsonl',
  rules: 'rules-gemini.json',
  enlarge: [[/(?<before>"tokens":\s*\{\s*"input":\s*)\d+/g, '$<before>990000']],
  env: () => ({
    GEMINI_API_KEY: 'test',
    GOOGLE_GEMINI_BASE_URL: SERVER,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
  home: () => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      model: { name: 'gemini-2.5-flash' },
    }),
    '.gemini/projects.json': '{"projects":{}}',
  }),
  before: (place) => [...gemini(place), '--yolo', '-o', 'json', '-p', 'hello'],
  folder: ({ home }) => join(home, '.gemini/tmp/project/chats'),
  resume: (place, { sessionId }, prompt) => [...gemini(place), '--yolo', '-o', 'json', '--resume', sessionId, '-p', prompt],
};

export const AGENTS: Readonly<Record<string, RealAgent>> = {
  'claude-code': {
    format: 'claude-code',
    packages: ['@anthropic-ai/claude-code@2.1.332'],
    source: 'claude-code-2.1.332/before-compact.jsonl',
    rules: 'rules-claude-latest.json',
    enlarge: [[/"cache_read_input_tokens":\d+/g, '"cache_read_input_tokens":195000']],
    env: () => ({ ANTHROPIC_BASE_URL: SERVER, ANTHROPIC_API_KEY: 'test', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', IS_SANDBOX: '1' }),
    home: () => ({}),
    folder: ({ home, project }) => join(home, '.claude/projects', dashed(project)),
    resume: (place, { sessionId }, prompt) => [
      claude(place),
      '-p',
      prompt,
      '--resume',
      sessionId,
      '--model',
      'claude-sonnet-4-5',
      '--output-format',
      'json',
      '--dangerously-skip-permissions',
    ],
  },
  codex: {
    format: 'codex',
    packages: ['@openai/codex@0.171.0'],
    source: 'codex-0.171.0/before-compact.jsonl',
    rules: 'rules-codex.json',
    enlarge: [[/"total_tokens":\d+/g, '"total_tokens":990000']],
    env: () => ({ OPENAI_API_KEY: 'test' }),
    home: () => ({
      '.codex/config.toml':
        `model = "fake-model"\nmodel_provider = "fake"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n` +
        `[model_providers.fake]\nname = "fake"\nbase_url = "${SERVER}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n`,
    }),
    record: (place) =>
      ['TURN-1 please list the folder', 'TURN-2 read the readme and the code', 'TURN-3 write a note', 'TURN-4 what is the total?'].map(
        (prompt, turn) => [codex(place), 'exec', '--skip-git-repo-check', '--json', ...(turn === 0 ? [] : ['resume', '--last']), prompt],
      ),
    folder: ({ home }) => join(home, '.codex/sessions/2026/11/30'),
    resume: (place, { sessionId }, prompt) => [codex(place), 'exec', '--skip-git-repo-check', '--json', 'resume', sessionId, prompt],
  },
  pi: {
    format: 'pi',
    packages: ['@mariozechner/pi-coding-agent@0.73.1'],
    source: 'pi-0.73.1/before-compact.jsonl',
    rules: 'rules-pi.json',
    enlarge: [
      [/"cacheRead":\d+/g, '"cacheRead":195000'],
      [/"totalTokens":\d+/g, '"totalTokens":198000'],
    ],
    env: () => ({ PI_OFFLINE: '1', ANTHROPIC_API_KEY: 'test' }),
    home: () => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          fake: { baseUrl: SERVER, api: 'anthropic-messages', apiKey: 'test', models: [{ id: 'fake-model', contextWindow: 200_000 }] },
        },
      }),
    }),
    folder: ({ home, project }) => join(home, '.pi/agent/sessions', `-${dashed(project)}--`),
    resume: (place, { path }, prompt) => [
      ...pi(place),
      '--offline',
      '--provider',
      'fake',
      '--model',
      'fake-model',
      '-p',
      '--session',
      path,
      prompt,
    ],
  },
  qwen: {
    format: 'qwen',
    packages: ['@qwen-code/qwen-code@0.15.10'],
    source: 'qwen-code-0.15.10/before-compact.jsonl',
    rules: 'rules-qwen.json',
    enlarge: [
      [/"promptTokenCount":\d+/g, '"promptTokenCount":990000'],
      [/"input_token_count":\d+/g, '"input_token_count":990000'],
    ],
    env: () => ({ OPENAI_API_KEY: 'test', OPENAI_BASE_URL: `${SERVER}/v1`, OPENAI_MODEL: 'fake-model', QWEN_SANDBOX: 'false' }),
    home: () => ({
      '.qwen/settings.json': JSON.stringify({ security: { auth: { selectedType: 'openai' } }, privacy: { usageStatisticsEnabled: false } }),
    }),
    folder: ({ home, project }) => join(home, '.qwen/projects', dashed(project), 'chats'),
    resume: (place, { sessionId }, prompt) => [
      ...qwen(place),
      '--yolo',
      '--output-format',
      'json',
      '--chat-recording',
      '--resume',
      sessionId,
      '-p',
      prompt,
    ],
  },
  gemini: GEMINI,
  'gemini-document': { ...GEMINI, convert: geminiDocument },
  opencode: {
    format: 'opencode',
    packages: ['opencode-ai@1.18.33'],
    source: 'opencode-1.18.33/export-before.json',
    rules: 'rules-opencode.json',
    enlarge: [[/"read": \d+/g, '"read": 195000']],
    env: () => ({
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENAI_API_KEY: 'test',
    }),
    home: () => ({
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'fake/fake-model',
        small_model: 'fake/fake-model',
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${SERVER}/v1`, apiKey: 'test' },
            models: { 'fake-model': { name: 'fake', tool_call: true, limit: { context: 200_000, output: 8000 } } },
          },
        },
      }),
    }),
    folder: ({ project }) => join(project, 'copies'),
    bring: (place, { path }) => [opencode(place), 'import', path],
    resume: (place, { sessionId }, prompt) => [
      opencode(place),
      'run',
      '--format',
      'json',
      '-s',
      sessionId,
      '-m',
      'fake/fake-model',
      prompt,
    ],
  },
};

/** Writes the project that the sessions are about, and what the agent needs in its home. */
export function preparePlace(agent: RealAgent, place: Place): void {
  const files = {
    [join(place.project, 'README.md')]: '# Pebble counter\nA tiny sample project. It counts pebbles in jars.\n',
    [join(place.project, 'jars.json')]: '[{"name":"red","pebbles":3},{"name":"blue","pebbles":4}]\n',
    ...Object.fromEntries(Object.entries(agent.home(place)).map(([path, text]) => [join(place.home, path), text])),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
