// Made by `npm run bench -- accuracy --turns FILE --fit --write`; what the numbers mean stands in contentTokens and errorBand.
import type { FittedGeneration } from './errorBand';

/** Tokens of Claude models, fitted on turns of public sessions. */
export const FITTED: Readonly<Record<'claude47' | 'claude46', FittedGeneration>> = {
  claude47: {
    cost: { token: 1.155, char: 0.118, message: 0, block: 0, call: 66.235, result: 9.742, hiddenThinking: 0 },
    band: { knownReply: 6.592, guessedReply: 6.592, later: 0.131, reply: 0.164, hiddenThinking: 0 },
  },
  claude46: {
    cost: { token: 0.933, char: 0.063, message: 0, block: 4.424, call: 57.821, result: 18.103, hiddenThinking: 43.952 },
    band: { knownReply: 83.832, guessedReply: 67.883, later: 0.072, reply: 0.265, hiddenThinking: 154.313 },
  },
};
