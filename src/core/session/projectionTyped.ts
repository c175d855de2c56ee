// The context as a loop with typed tools would hold it. Progressive projection works on tools that state what they did in fields; the agents whose
// transcripts are read here print text, so what a call asked for and how it ended is taken from its arguments and its result.
import { collectCalls, pathsOf, type ToolCall } from '../compaction/offline/calls';
import { readShell } from '../compaction/offline/shellEffects';
import type { ProofTool } from '../micro/proofs';
import { isToolResult, isToolUse, toolResultText, type Message, type ToolResultBlock } from '../model/message';
import { holdsMedia } from '../model/resultBlocks';
import { toolClass } from '../model/toolClass';
import { projectionJson } from '../projection/json';
import { projectionForms } from '../projection/rewrites';
import { stringOf } from '../util/json';
import { utf8Length } from '../util/text';

/** A result of the context beside its typed form. */
export interface TypedResult {
  readonly toolUseId: string;
  /** Place in the list of messages, and in the content of that one. */
  readonly position: number;
  readonly blockIndex: number;
  /** Name of the tool that the agent called, and what it was about. */
  readonly name: string;
  readonly about: string;
  /** Undefined for tools that are like none of the three. */
  readonly tool: ProofTool | undefined;
  readonly hasFailed: boolean;
  readonly hasMedia: boolean;
  readonly original: ToolResultBlock;
  /** Text of the typed form. */
  readonly text: string;
}

export interface TypedContext {
  readonly messages: readonly Message[];
  readonly results: readonly TypedResult[];
}

/** Reads the calls of a context in order: reads, searches and look-ups as Inspect, changes of files as ApplyPatch, other commands as Run. Linear. */
export function typedContext(messages: readonly Message[]): TypedContext {
  const calls = collectCalls(messages);
  const byId = new Map<string, Typed>();
  const results: TypedResult[] = [];
  let next = 0;
  const typed = messages.map((message, position): Message => {
    const content = message.content.map((block, blockIndex) => {
      if (isToolUse(block)) {
        const call = calls[next++];
        const kind = call === undefined ? undefined : kindOf(call);
        byId.set(block.id, { call, kind });
        return kind === undefined ? block : { ...block, name: kind.tool };
      }
      const asked = isToolResult(block) ? byId.get(block.toolUseId) : undefined;
      if (!isToolResult(block) || asked?.call === undefined) return block;
      const form = typedResult(block, asked.call, asked.kind);
      results.push({
        toolUseId: block.toolUseId,
        position,
        blockIndex,
        name: asked.call.name,
        about: asked.call.command ?? pathsOf(asked.call.args)[0] ?? stringOf(asked.call.args, 'pattern') ?? '',
        tool: asked.kind?.tool,
        hasFailed: hasFailed(block, asked.call),
        hasMedia: holdsMedia(block),
        original: block,
        text: toolResultText(form),
      });
      return form;
    });
    return { ...message, content };
  });
  return { messages: typed, results };
}

interface Typed {
  readonly call: ToolCall | undefined;
  readonly kind: Kind | undefined;
}

interface Kind {
  readonly tool: ProofTool;
  /** Of an Inspect: where it looked, and whether it read or searched. */
  readonly path: string;
  readonly verb: 'read' | 'search';
}

function kindOf(call: ToolCall): Kind | undefined {
  const path = pathsOf(call.args)[0];
  if (call.command !== undefined) {
    const { effects, isLookUp } = readShell(call.command, undefined);
    if (!isLookUp) return { tool: 'Run', path: '', verb: 'read' };
    const read = effects.find(({ kind }) => kind === 'read')?.path;
    return { tool: 'Inspect', path: read ?? call.command, verb: read === undefined ? 'search' : 'read' };
  }
  switch (toolClass(call.name)) {
    case 'read':
      return path === undefined ? undefined : { tool: 'Inspect', path, verb: 'read' };
    case 'search':
      return { tool: 'Inspect', path: path ?? stringOf(call.args, 'pattern') ?? stringOf(call.args, 'query') ?? call.name, verb: 'search' };
    case 'write':
      return { tool: 'ApplyPatch', path: path ?? '', verb: 'read' };
    case 'run':
    case 'web':
    case 'other':
      return undefined;
  }
}

function typedResult(block: ToolResultBlock, call: ToolCall, kind: Kind | undefined): ToolResultBlock {
  if (kind === undefined) return block;
  const outcome = hasFailed(block, call) ? 'failed' : 'succeeded';
  if (kind.tool !== 'Inspect') return { ...block, outcome };
  const text = toolResultText(block);
  if (outcome === 'failed' || text === '' || holdsMedia(block)) return { ...block, outcome };
  const pattern = stringOf(call.args, 'pattern') ?? stringOf(call.args, 'query');
  const request = { id: '1', kind: kind.verb, path: kind.path, ...(pattern === undefined ? {} : { pattern }) };
  const evidence = [{ path: kind.path, chunks: [{ ...linesOf(text), content: text }] }];
  const typed: ToolResultBlock = {
    ...block,
    outcome,
    proof: { inspect: { files: 1 } },
    content: projectionJson({ requests: [request], evidence }),
  };
  return isWorthIt(typed, text) ? typed : { ...block, outcome };
}

/** The typed form is longer than what the agent printed, which alone counts here. The digests in a short form take more tokens a byte than a text. */
function isWorthIt(typed: ToolResultBlock, printed: string): boolean {
  const bytes = utf8Length(printed);
  if (bytes > SURELY_LONG) return true;
  const { rewrite } = projectionForms('Inspect', typed);
  return rewrite !== undefined && utf8Length(rewrite) <= bytes * TOKEN_SHARE;
}

/** No short form with a path of usual length is as long. */
const SURELY_LONG = 16_384;
const TOKEN_SHARE = 0.6;

function hasFailed(block: ToolResultBlock, { outcome }: ToolCall): boolean {
  return block.isError === true || (outcome !== undefined && outcome.status !== 'ok');
}

/** First and last line number, where the tool puts one before each line. */
function linesOf(text: string): { readonly lines?: readonly number[] } {
  const [first, last] = [text.slice(0, 40), text.slice(text.lastIndexOf('\n') + 1).slice(0, 40)].map(
    (line) => /^\s{0,8}(\d{1,7})[→\t:|]/.exec(line)?.[1],
  );
  return first === undefined || last === undefined ? {} : { lines: [Number(first), Number(last)] };
}
