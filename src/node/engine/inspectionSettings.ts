import type { InspectionSettings } from '../../core/session/inspection';
import { loadCounter } from '../counting/bpeCounter';
import type { InspectOptions } from './contract';

/** Turns options into settings, loading the tokenizer where they ask for it. */
export async function inspectionSettings(options: InspectOptions): Promise<InspectionSettings> {
  const encoding = options.tokenizer === undefined || options.tokenizer === 'auto' ? 'o200k_base' : options.tokenizer;
  const counter = encoding === 'chars' ? undefined : await loadCounter(encoding);
  return {
    ...(options.windowTokens === undefined ? {} : { windowTokens: options.windowTokens }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.windowOverrides === undefined ? {} : { windowOverrides: options.windowOverrides }),
    ...(options.autoCompactEnabled === undefined ? {} : { autoCompactEnabled: options.autoCompactEnabled }),
    ...(options.limitsProfile === undefined ? {} : { limitsProfile: options.limitsProfile }),
    ...(options.imageTokens === undefined ? {} : { mediaTokens: options.imageTokens }),
    ...(counter === undefined ? {} : { counter }),
  };
}
