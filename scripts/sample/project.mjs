// The small project that the sample session works on: a token counter that drifts away from what the provider reports once a conversation
// holds pictures. Files are made from a few patterns, so they read like code and search and edit like code.

const KINDS = [
  ['Text', 'text', 'running prose and code'],
  ['Thinking', 'thinking', 'reasoning that the provider may drop'],
  ['ToolUse', 'tool_use', 'a call with its JSON arguments'],
  ['ToolResult', 'tool_result', 'what a tool gave back'],
  ['Image', 'image', 'a picture in base64'],
  ['Document', 'document', 'a PDF in base64'],
  ['Reference', 'tool_reference', 'a tool named but not sent'],
  ['Search', 'search_result', 'a passage with its source'],
];

const PROVIDERS = [
  ['Anthropic', 'input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens'],
  ['OpenAi', 'prompt_tokens', 'cached_tokens', undefined, 'completion_tokens'],
  ['Gemini', 'promptTokenCount', 'cachedContentTokenCount', undefined, 'candidatesTokenCount'],
  ['Bedrock', 'inputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens', 'outputTokens'],
  ['Mistral', 'prompt_tokens', undefined, undefined, 'completion_tokens'],
];

const kindPart = ([name, wire, what], index) => `
/** A block of type "${wire}": ${what}. */
export interface ${name}Block {
  readonly type: '${wire}';
  readonly ${wire === 'image' || wire === 'document' ? 'source: { readonly media_type: string; readonly data: string }' : 'text: string'};
}

/** Tokens that the protocol adds around a ${wire} block, measured over ${210 + index * 37} requests. */
const ${name.toUpperCase()}_OVERHEAD = ${[2, 3, 38, 41, 4, 5, 3, 9][index]};

export function is${name}Block(block: Block): block is ${name}Block {
  return block.type === '${wire}';
}

export function count${name}Block(block: ${name}Block, counter: Counter): number {
${
  wire === 'image' || wire === 'document'
    ? `  // The provider scales pictures, so the bytes say little about their price.
  const body = block.source.data;
  return ${name.toUpperCase()}_OVERHEAD + counter.count(body);`
    : `  const body = block.text;
  if (body === '') return ${name.toUpperCase()}_OVERHEAD;
  return ${name.toUpperCase()}_OVERHEAD + counter.count(body);`
}
}

/** One line for the report: kind, tokens and share of the message. */
export function describe${name}Block(block: ${name}Block, counter: Counter, total: number): string {
  const tokens = count${name}Block(block, counter);
  const share = total === 0 ? 0 : Math.round((tokens / total) * 1000) / 10;
  return \`${wire.padEnd(14)} \${String(tokens).padStart(8)} \${share.toFixed(1).padStart(5)} %\`;
}
`;

const countSource = `import type { Counter } from './counter';

/** Everything that a message can hold. The list is closed: a new kind must say what it costs. */
export type Block = ${KINDS.map(([name]) => `${name}Block`).join(' | ')};
${KINDS.map(kindPart).join('')}
/** Tokens of one block of any kind. */
export function countBlock(block: Block, counter: Counter): number {
  switch (block.type) {
${KINDS.map(([name, wire]) => `    case '${wire}':\n      return count${name}Block(block, counter);`).join('\n')}
  }
}

/** Tokens of a message: its blocks and four for the role and the separators. */
export function countMessage(blocks: readonly Block[], counter: Counter): number {
  return blocks.reduce((sum, block) => sum + countBlock(block, counter), 4);
}
`;

const providerPart = ([name, input, read, write, output]) => `
/** Usage as ${name} reports it. ${read === undefined ? 'Nothing is said about the cache.' : `"${input}" ${write === undefined ? 'includes' : 'excludes'} what came from the cache.`} */
export interface ${name}Usage {
  readonly ${input}: number;
${read === undefined ? '' : `  readonly ${read}?: number;\n`}${write === undefined ? '' : `  readonly ${write}?: number;\n`}  readonly ${output}: number;
}

export function from${name}(usage: ${name}Usage): Usage {
  const cacheRead = ${read === undefined ? '0' : `usage.${read} ?? 0`};
  const cacheWrite = ${write === undefined ? '0' : `usage.${write} ?? 0`};
  return {
    input: ${write === undefined && read !== undefined ? `usage.${input} - cacheRead` : `usage.${input}`},
    cacheRead,
    cacheWrite,
    output: usage.${output},
  };
}

/** True when the numbers can be real: no negative part and no cache larger than the prompt. */
export function isPlausible${name}(usage: ${name}Usage): boolean {
  const parts = Object.values(usage).filter((value) => value !== undefined);
  return parts.every((value) => Number.isSafeInteger(value) && value >= 0) && promptTokens(from${name}(usage)) >= usage.${read ?? input};
}
`;

const usageSource = `/** Usage of one request in one form for all providers. */
export interface Usage {
  /** Prompt tokens that were neither read from nor written to the cache. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** Size of the prompt as the model saw it. */
export function promptTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite;
}
${PROVIDERS.map(providerPart).join('')}`;

const driftSource = `import { countMessage, type Block } from './count';
import type { Counter } from './counter';
import { promptTokens, type Usage } from './usage';

export interface Turn {
  readonly blocks: readonly Block[];
  readonly usage?: Usage;
}

export interface Drift {
  readonly turn: number;
  readonly reported: number;
  readonly counted: number;
  /** Counted minus reported, in tokens; positive when we count too much. */
  readonly error: number;
}

/** Compares the growth that we count with the growth that the provider reports, turn by turn. */
export function measureDrift(turns: readonly Turn[], counter: Counter): readonly Drift[] {
  const drifts: Drift[] = [];
  let counted = 0;
  let before: number | undefined;
  turns.forEach((turn, index) => {
    counted += countMessage(turn.blocks, counter);
    if (turn.usage === undefined) return;
    const reported = promptTokens(turn.usage) + turn.usage.output;
    if (before !== undefined) drifts.push({ turn: index, reported: reported - before, counted, error: counted - (reported - before) });
    before = reported;
    counted = 0;
  });
  return drifts;
}
`;

const testCase = ([name, wire], index) => `
  describe('${wire}', () => {
    const cases: readonly [string, number, number][] = [
${[1, 2, 3, 4, 5, 6].map((n) => `      ['${'lorem ipsum dolor '.repeat(n).trim()}', ${n * 4 + index}, ${n * 4 + index + [2, 3, 38, 41, 4, 5, 3, 9][index]}],`).join('\n')}
    ];
    for (const [text, bare, expected] of cases) {
      it(\`counts \${text.length} characters as \${expected}\`, () => {
        const block = make${name}(text);
        assert.equal(count${name}Block(block, fixedCounter(bare)), expected);
      });
    }
  });
`;

const testSource = `import assert from 'node:assert/strict';
import { ${KINDS.map(([name]) => `count${name}Block`).join(', ')}, countMessage } from '../src/core/count';
import { fixedCounter, ${KINDS.map(([name]) => `make${name}`).join(', ')} } from './support';

describe('count', () => {
${KINDS.map(testCase).join('')}
  it('adds four for the message', () => {
    assert.equal(countMessage([], fixedCounter(0)), 4);
  });
});
`;

const packageSource = `{
  "name": "counter",
  "version": "0.4.2",
  "private": true,
  "type": "module",
  "scripts": {
    "build": "tsc -p .",
    "test": "mocha out/test/**/*.test.js",
    "drift": "node out/src/cli.js drift"
  },
  "devDependencies": {
    "mocha": "^11.0.0",
    "typescript": "^5.9.0"
  }
}
`;

const readmeSource = `# counter

Counts the tokens of a conversation before it is sent, and compares the count with what the provider reports afterwards.

- \`npm run drift -- FILE\` prints, for each turn, the reported and the counted growth and the difference.
- The count should stay within 5 % of the report over a whole session. Since 0.4 it does not on sessions with pictures.

Layout: \`src/core\` counts, \`src/cli.ts\` prints, \`test/fixtures\` holds recorded sessions.
`;

/** @param {ReturnType<import('./random.mjs').createRandom>} random */
function fixtures(random) {
  const rows = [];
  for (let turn = 1; turn <= 260; turn++) {
    const image = turn % 9 === 0;
    const input = random.integer(2, 12);
    const read = 21_000 + turn * random.integer(380, 420);
    const write = image ? random.integer(1_300, 1_700) : random.integer(90, 900);
    rows.push(
      `  {"turn":${turn},"id":"${random.hex(12)}","blocks":${image ? '["text","image"]' : '["text"]'},"usage":[${input},${read},${write},${random.integer(20, 640)}],"bytes":${image ? random.integer(48_000, 210_000) : random.integer(200, 3_900)}}`,
    );
  }
  return `[\n${rows.join(',\n')}\n]\n`;
}

/** @returns {Map<string, string>} path below the project's folder → text */
export function createProject(random) {
  return new Map([
    ['README.md', readmeSource],
    ['package.json', packageSource],
    ['src/core/count.ts', countSource],
    ['src/core/usage.ts', usageSource],
    ['src/core/drift.ts', driftSource],
    ['test/count.test.ts', testSource],
    ['test/fixtures/session-images.json', fixtures(random)],
  ]);
}
