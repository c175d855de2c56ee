// Makes src/core/window/catalogueData.ts from the npm package @pydantic/genai-prices, cut to what is needed: which ids a model goes by, its
// window and its prices. Run by the build; `node scripts/build-catalogue.mjs` alone writes it too.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const FILE = join(ROOT, 'src/core/window/catalogueData.ts');
const require = createRequire(import.meta.url);
const MAIN = require.resolve('@pydantic/genai-prices');
const FOLDER = join(dirname(MAIN), '..');

/** Makers of models that coding agents run on. Resellers are left out: a window belongs to the model, and their prices differ. */
const PROVIDERS = ['anthropic', 'openai', 'google', 'x-ai', 'deepseek', 'mistral', 'moonshotai', 'zai', 'minimax'];
/** Day on which this version of the package was published. Prices with a start date count when they had begun by then. */
const PUBLISHED = { version: '0.1.8', date: '2026-09-23' };

const PRICES = ['input_mtok', 'output_mtok', 'cache_read_mtok', 'cache_write_mtok', 'cache_write_1h_mtok'];

/** The source text of the catalogue. Throws when another version of the package is installed than the one whose date is known. */
export function catalogueSource() {
  const { version } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
  if (version !== PUBLISHED.version) throw new Error(`@pydantic/genai-prices is ${version}; note its date in scripts/build-catalogue.mjs`);
  const licence = readFileSync(join(FOLDER, 'LICENSE'), 'utf8').trim().replaceAll('*/', '* /');
  const { findProvider } = require('@pydantic/genai-prices');
  const rows = PROVIDERS.flatMap((id) => {
    const provider = findProvider({ providerId: id });
    if (provider === undefined) throw new Error(`@pydantic/genai-prices has no provider "${id}"`);
    return provider.models.flatMap((model) => rowOf(id, model));
  });
  return `/*!
Made by scripts/build-catalogue.mjs from the npm package @pydantic/genai-prices ${version} of ${PUBLISHED.date}; do not edit. Its licence:

${licence}
*/

/** What the catalogue was made from. */
export const CATALOGUE_SOURCE = { package: '@pydantic/genai-prices', version: '${version}', date: '${PUBLISHED.date}', licence: 'MIT' } as const;

/**
 * A model a line, cells separated by "|": rules on its id, separated by blanks (= is, ^ begins with, $ ends with, ~ holds, # and a date);
 * window in tokens; dollars for a million tokens of input, output, cache read, cache write, and cache write for an hour; then, where longer
 * prompts cost more, the size from which they do, and the same prices. An empty cell is unknown.
 */
export const CATALOGUE_ROWS = \`
${rows.join('\n')}
\`;
`;
}

/** Writes the catalogue where it differs from what is there; true when it did. */
export function writeCatalogue() {
  const source = catalogueSource();
  if (readFileSync(FILE, { encoding: 'utf8', flag: 'a+' }) === source) return false;
  writeFileSync(FILE, source);
  return true;
}

function rowOf(provider, model) {
  // A cloud's list repeats other makers' models under its own prices.
  if (provider === 'google' && model.id.startsWith('claude')) return [];
  const rules = [...new Set(rulesOf(model.match))];
  const prices = pricesOf(model.prices);
  if (rules.length === 0 || (model.context_window === undefined && prices.input_mtok === undefined)) return [];
  const { base, from, above } = tiersOf(prices);
  const cells = [rules.join(' '), model.context_window, ...base, ...(from === undefined ? [] : [from, ...above])];
  const text = cells
    .map((cell) => cell ?? '')
    .join('|')
    .replace(/\|+$/, '');
  if (/[`\\$]\{|`|\\/.test(text)) throw new Error(`a rule of ${model.id} does not fit into a template`);
  return [text];
}

function rulesOf(match) {
  if (match.or !== undefined) return match.or.flatMap(rulesOf);
  // A conjunction narrows a beginning by a pattern; the longer names that it leaves out have rows of their own, which win.
  if (match.and !== undefined)
    return match.and
      .filter((part) => part.regex === undefined)
      .slice(0, 1)
      .flatMap(rulesOf);
  if (match.regex !== undefined) return datedRule(match.regex);
  const [[kind, value]] = Object.entries(match);
  const sign = { equals: '=', starts_with: '^', ends_with: '$', contains: '~' }[kind];
  if (sign === undefined) throw new Error(`unknown rule "${kind}"`);
  return /[\s|]/.test(value) ? [] : [sign + value.toLowerCase()];
}

/** `^NAME-\\d{8}$` and `^NAME-\\d{4}-\\d{2}-\\d{2}$`: the name with a date; other patterns are left out. */
function datedRule(pattern) {
  const found = /^\^([\w./\\-]+)-\\d(?:\{8\}|\{4\}-\\d\{2\}-\\d\{2\})\$$/.exec(pattern);
  return found === null ? [] : [`#${found[1].replaceAll('\\', '').toLowerCase()}`];
}

/** The prices that held on the day of the package. Prices for some hours of the day are left out. */
function pricesOf(prices) {
  if (!Array.isArray(prices)) return prices;
  const begun = prices.filter(({ constraint }) => constraint === undefined || (constraint.start_date ?? '9999') <= PUBLISHED.date);
  return begun.at(-1)?.prices ?? {};
}

function tiersOf(prices) {
  const base = PRICES.map((key) => prices[key]?.base ?? (typeof prices[key] === 'number' ? prices[key] : undefined));
  const from = PRICES.map((key) => prices[key]?.tiers?.[0]?.start).find((start) => start !== undefined);
  return { base, from, above: PRICES.map((key) => prices[key]?.tiers?.[0]?.price) };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(writeCatalogue() ? 'The catalogue is written anew.' : 'The catalogue is as it was.');
}
