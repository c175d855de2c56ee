import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { catalogueSource } from '../../../scripts/build-catalogue.mjs';
import { CATALOGUE_ROWS, CATALOGUE_SOURCE } from '../../../src/core/window/catalogueData';
import { modelFacts } from '../../../src/core/window/modelCatalogue';

describe('the catalogue of models', () => {
  it('is what the build makes from the pinned package', () => {
    assert.equal(readFileSync('src/core/window/catalogueData.ts', 'utf8'), catalogueSource());
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: Record<string, string> };
    assert.equal(devDependencies[CATALOGUE_SOURCE.package], CATALOGUE_SOURCE.version);
    assert.match(CATALOGUE_SOURCE.date, /^\d{4}-\d{2}-\d{2}$/);
  });

  it('ships with the licence of its data', () => {
    const licence = readFileSync('node_modules/@pydantic/genai-prices/LICENSE', 'utf8').trim();
    assert.ok(readFileSync('media/third-party-licenses.txt', 'utf8').includes(licence));
  });

  it('has only rows that can be read', () => {
    const rows = CATALOGUE_ROWS.trim().split('\n');
    assert.ok(rows.length > 200);
    for (const row of rows) {
      const [rules = '', ...cells] = row.split('|');
      for (const rule of rules.split(' ')) assert.match(rule, /^[=^$~#][^\s|]+$/, row);
      assert.ok(cells.length >= 1 && cells.length <= 12, row);
      for (const cell of cells) assert.ok(cell === '' || Number(cell) >= 0, row);
    }
  });

  const windows: readonly (readonly [string, number | undefined])[] = [
    ['claude-opus-4-20250514', 200_000],
    ['claude-sonnet-4-20250514-v1:0', 200_000],
    ['claude-sonnet-4-6', 1_000_000],
    ['claude-fable-5-20260601', 1_000_000],
    ['claude-opus-5@default', 1_000_000],
    ['gpt-5-codex', 400_000],
    ['gpt-5.1-codex-max-high', 400_000],
    ['gpt-5.3', 128_000],
    ['gpt-5.3-codex', 400_000],
    ['gpt-4.1', 1_047_576],
    ['gpt-4o-mini', 128_000],
    ['gpt-45', undefined],
    ['gemini-2.5-pro', 1_048_576],
    ['gemini-2.5-flash-preview-tts', 8_192],
    ['grok-4-0709', 256_000],
    ['grok-4-fast', 2_000_000],
    ['kimi-k2-0711-preview', 131_072],
    ['deepseek-chat', 128_000],
    ['vendor-gemini-2.0-flash', 1_000_000],
    ['vendor-claude-v2-fast', 200_000],
    ['my-model', undefined],
    ['', undefined],
  ];
  for (const [id, tokens] of windows)
    it(`${id || 'no name'}: ${tokens ?? 'unknown'}`, () => assert.equal(modelFacts(id)?.windowTokens, tokens));

  it('states prices of prompts, replies and caches, and what longer prompts cost', () => {
    assert.deepEqual(modelFacts('claude-opus-4-8'), {
      windowTokens: 1_000_000,
      maxOutputTokens: undefined,
      prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, cacheWriteHour: 10 },
      longPrompt: undefined,
    });
    assert.deepEqual(modelFacts('claude-sonnet-4-5')?.longPrompt, {
      fromTokens: 200_000,
      prices: { input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5, cacheWriteHour: 12 },
    });
    assert.deepEqual(modelFacts('gpt-5')?.prices, {
      input: 1.25,
      output: 10,
      cacheRead: 0.125,
      cacheWrite: undefined,
      cacheWriteHour: undefined,
    });
    assert.equal(modelFacts('qwen3-coder')?.prices, undefined);
  });

  it('takes a hostile id in bounded time', () => {
    const start = process.cpuUsage();
    assert.equal(modelFacts(`x${'-2025'.repeat(50_000)}`), undefined);
    assert.ok(process.cpuUsage(start).user < 2e6);
  });
});
