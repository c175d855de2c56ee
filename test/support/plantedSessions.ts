// Conversations written down as the agents store them, with compactions between their parts.
import type { ContentBlock, Message } from '../../src/core/model/message';
import { toolResultText } from '../../src/core/model/message';
import { isRecord } from '../../src/core/util/json';
import * as claude from '../unit/transcript/claudeLines';
import * as codex from '../unit/transcript/codexLines';

/** Messages, and what a compaction behind them makes of them. */
export interface Stretch {
  readonly messages: readonly Message[];
  /** Undefined for the last stretch, which nothing compacts. */
  readonly summary?: string;
  /** How many of the newest messages stay word for word. */
  readonly keep?: number;
}

/** A Claude Code session: each compaction has its boundary, its summary, and the ids of what stays. */
export function claudeSession(stretches: readonly Stretch[]): Uint8Array {
  const lines: string[] = [];
  let parent: string | null = null;
  stretches.forEach(({ messages, summary, keep = 0 }, at) => {
    messages.forEach((message, index) => {
      const uuid = `s${at}-${index}`;
      const content = message.content.map(claudeBlock);
      if (message.role === 'assistant') {
        const [block = { type: 'text', text: '' }] = content;
        lines.push(claude.assistant({ uuid, parent }, `m-${uuid}`, block));
      } else lines.push(claude.user({ uuid, parent, ...kindOf(message) }, content));
      parent = uuid;
    });
    if (summary === undefined) return;
    const uuids = messages.map((_, index) => `s${at}-${index}`).slice(messages.length - keep);
    const preserved = keep === 0 ? {} : { preservedMessages: { anchorUuid: `sum-${at}`, uuids, allUuids: uuids } };
    lines.push(claude.boundary(`b-${at}`, preserved, { logicalParentUuid: parent }));
    lines.push(claude.summary(`sum-${at}`, `b-${at}`, summary));
    parent = `sum-${at}`;
  });
  return claude.bytes(...lines);
}

/** A Codex rollout: each compaction is one line that states the new history. Only what was said can stay. */
export function codexSession(stretches: readonly Stretch[]): Uint8Array {
  const lines = [codex.meta()];
  stretches.forEach(({ messages, summary, keep = 0 }) => {
    for (const item of messages.flatMap(codexItems)) lines.push(codex.item(item));
    if (summary === undefined) return;
    const kept = messages.slice(messages.length - keep).flatMap(codexItems);
    lines.push(codex.record('compacted', { message: summary, replacement_history: [...kept, codex.message('user', summary)] }));
  });
  return codex.bytes(...lines);
}

function kindOf({ kind }: Message): { readonly more?: object } {
  return kind === 'meta' ? { more: { isMeta: true } } : {};
}

function claudeBlock(block: ContentBlock): object {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'toolUse')
    return { type: 'tool_use', id: block.id, name: block.name, input: isRecord(block.input) ? block.input : { input: block.input } };
  if (block.type !== 'toolResult') throw new Error(`a ${block.type} block is not written here`);
  const error = block.isError === true ? { is_error: true } : {};
  return { type: 'tool_result', tool_use_id: block.toolUseId, content: toolResultText(block), ...error };
}

function codexItems({ role, content }: Message): readonly object[] {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const said =
    texts.length === 0
      ? []
      : [
          {
            ...codex.message(role, ''),
            content: texts.map((text) => ({ type: role === 'assistant' ? 'output_text' : 'input_text', text })),
          },
        ];
  return [...said, ...content.flatMap(codexCall)];
}

function codexCall(block: ContentBlock): readonly object[] {
  if (block.type === 'toolUse') {
    const named = { name: block.name, call_id: block.id };
    if (typeof block.input === 'string') return [{ type: 'custom_tool_call', ...named, input: block.input }];
    return [{ type: 'function_call', ...named, arguments: JSON.stringify(block.input) }];
  }
  if (block.type !== 'toolResult') return [];
  const text = toolResultText(block);
  // Codex marks no result as an error; the lines in front of an output tell how the program ended.
  const output = block.isError === true ? `Chunk ID: 3f2a1b\nWall time: 1.5 seconds\nProcess exited with code 1\nOutput:\n${text}` : text;
  return [{ type: 'function_call_output', call_id: block.toolUseId, output }];
}
