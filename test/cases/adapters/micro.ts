import { isToolResult, type ContentBlock, type Message } from '../../../src/core/model/message';
import { CLEARED_TEXT, clearableResults } from '../../../src/core/micro/compactableTools';
import { DEFAULT_MICROCOMPACT, type MicrocompactOptions } from '../../../src/core/micro/config';
import { clearIdleToolResults } from '../../../src/core/micro/timeBased';
import { field, numberOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { clearingProperty, idleProperty, pairsProperty } from '../../support/microProperties';
import type { CaseAdapter, CaseCall } from '../caseTypes';

/** Clearing of old tool results by time. */
export const micro: CaseAdapter = {
  functions: { microcompact: (call) => microcompact(call) },
  properties: {
    P01: (call) => pairsProperty(messagesOf(call), optionsOf(call.args), NOW),
    P65: (call) => clearingProperty(messagesOf(call), optionsOf(call.args), NOW),
    P66: (call) => idleProperty(messagesOf(call), optionsOf(call.args), NOW),
  },
};

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const MARKER = '$CLEARED_MARKER$';

function microcompact(call: CaseCall): unknown {
  const options = optionsOf(call.args);
  const result = clearIdleToolResults(messagesOf(call), options, NOW);
  const clearable = clearableResults(result.messages, options.proofs);
  const ids = (isCleared: boolean): readonly string[] =>
    clearable.filter((one) => one.isCleared === isCleared).map(({ block }) => block.toolUseId);
  return { changed: result.changed, cleared: ids(true), kept: ids(false), clearedNow: result.cleared, clearedTotal: ids(true) };
}

function optionsOf(args: JsonRecord): MicrocompactOptions {
  const source = stringOf(args, 'querySource') ?? '';
  return {
    ...DEFAULT_MICROCOMPACT,
    timeBased: field(args, 'timeBasedEnabled') === true,
    source: source === 'repl_main_thread' ? 'main' : source === '' ? undefined : 'other',
    idleThresholdMs: (numberOf(args, 'idleThresholdMinutes') ?? 0) * MINUTE_MS,
    keepRecent: numberOf(args, 'keepRecent') ?? 0,
    lastActivity: NOW - (numberOf(args, 'idleMinutes') ?? NaN) * MINUTE_MS,
  };
}

/** The messages of the case with our own mark where it says so. */
function messagesOf({ messages }: CaseCall): readonly Message[] {
  return messages.map((message) => {
    const content = message.content.map((block): ContentBlock => {
      return isToolResult(block) && block.content === MARKER ? { ...block, content: CLEARED_TEXT } : block;
    });
    return { ...message, content };
  });
}
