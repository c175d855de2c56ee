import type { GoldenFunctions } from '../goldenTypes';
import { autoFunctions } from './auto';
import { compactionFunctions } from './compaction';
import { estimateFunctions } from './estimates';
import { invariantFunctions } from './invariants';
import { projectionFunctions } from './projection';
import { promptFunctions } from './prompts';
import { microFunctions } from './micro';
import { seed0Functions } from './seed0';
import { toolResultFunctions } from './toolResults';
import { windowFunctions } from './window';
import { windowScriptFunctions } from './windowScript';

/** All functions that vectors are known for; a new group is one line here. */
export const GOLDEN_FUNCTIONS: GoldenFunctions = {
  ...seed0Functions,
  ...windowFunctions,
  ...estimateFunctions,
  ...invariantFunctions,
  ...windowScriptFunctions,
  ...compactionFunctions,
  ...autoFunctions,
  ...promptFunctions,
  ...toolResultFunctions,
  ...microFunctions,
  ...projectionFunctions,
};
