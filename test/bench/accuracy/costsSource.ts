import type { Fits } from './fitGenerations';

/** The source file that the constants of a fit are shipped in. */
export function costsSource(fits: Fits): string {
  const object = (values: object): string =>
    `{ ${Object.entries(values)
      .map(([key, value]) => `${key}: ${String(value)}`)
      .join(', ')} }`;
  const entries = Object.entries(fits).map(
    ([name, { cost, band }]) => `  ${name}: {\n    cost: ${object(cost)},\n    band: ${object(band)},\n  },\n`,
  );
  return `// Made by \`npm run bench -- accuracy --turns FILE --fit --write\`; what the numbers mean stands in contentTokens and errorBand.
import type { FittedGeneration } from './errorBand';

/** Tokens of Claude models, fitted on turns of public sessions. */
export const FITTED: Readonly<Record<'claude47' | 'claude46', FittedGeneration>> = {
${entries.join('')}};
`;
}
