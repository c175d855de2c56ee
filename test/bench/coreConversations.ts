// Conversations of any length for the benchmark of the core: one as an agent writes it, and shapes that would make careless code quadratic.
import type { ContentBlock, Message, Role } from '../../src/core/model/message';
import { inspectResult } from '../support/inspections';

const PROSE = 'The parser keeps the order of records and reports what it could not read. ';
/** Characters of results, in turn: most are short, some are files. */
const RESULT_CHARS = [60, 400, 120, 2400, 90, 700];
const LEAD = 4;

/**
 * `count` messages of a session: requests, responses in two fragments that share an id (words, then one call or two), their results, and a report
 * with each response. Half of the messages are results of `Read`.
 */
export function agentSession(count: number): readonly Message[] {
  const messages: Message[] = [];
  let prompt = 20_000;
  for (let step = 0; messages.length < count; step++) {
    if (step % 8 === 0) messages.push(made(messages, 'user', [words(2)], {}));
    const calls = step % 5 === 0 ? [`a${step}`, `b${step}`] : [`a${step}`];
    const usage = { inputTokens: 3, outputTokens: 80, cacheReadTokens: prompt, cacheCreationTokens: 400 };
    prompt = prompt > 150_000 ? 30_000 : prompt + 400;
    const shared = { messageId: `m${step}`, usage };
    messages.push(made(messages, 'assistant', [words(1)], shared));
    messages.push(made(messages, 'assistant', calls.map(callOf), shared));
    for (const [at, id] of calls.entries()) messages.push(made(messages, 'user', [resultOf(id, RESULT_CHARS[(step + at) % 6] ?? 0)], {}));
  }
  // No call is open at the end, or a plan would be refused.
  const begun = messages.slice(0, count - 1);
  return [...begun, made(begun, 'assistant', [words(1)], { messageId: 'last' })];
}

/** A session of reads, every fifth of them an `Inspect` with typed evidence, all consumed by a patch at the end: those may be projected. */
export function inspectedSession(count: number): readonly Message[] {
  const messages: Message[] = [made([], 'user', [words(1)], {})];
  for (let at = 0; messages.length < count - LEAD; at++) {
    const isInspect = at % 5 === 0;
    const call: ContentBlock = isInspect ? { type: 'toolUse', id: `i${at}`, name: 'Inspect', input: {} } : callOf(`i${at}`);
    messages.push(made(messages, 'assistant', [call], {}));
    messages.push(made(messages, 'user', [isInspect ? inspectResult(`i${at}`, 200) : resultOf(`i${at}`, 400)], {}));
  }
  messages.push(made(messages, 'assistant', [{ type: 'toolUse', id: 'patch', name: 'ApplyPatch', input: {} }], {}));
  messages.push(made(messages, 'user', [{ type: 'toolResult', toolUseId: 'patch', content: 'applied', outcome: 'succeeded' }], {}));
  messages.push(made(messages, 'assistant', [words(1)], {}));
  return messages;
}

/** Call and result in turn, one message each, as in the case of 20,000 messages. */
export function alternatingPairs(count: number): readonly Message[] {
  return Array.from({ length: count }, (_, at) => {
    const id = `t${Math.ceil(at / 2)}`;
    return at % 2 === 1 ? assistantCall(at, id) : userResult(at, id);
  });
}

/** All calls first and then their results, the last call's first: every cut but the ends tears a pair. */
export function nestedPairs(count: number): readonly Message[] {
  const calls = Math.floor(count / 2);
  return Array.from({ length: count }, (_, at) => {
    return at < calls ? assistantCall(at, `t${at}`) : userResult(at, `t${2 * calls - 1 - at}`);
  });
}

/** Pairs that overlap in a chain: each result stands behind the next call, so that moving a cut once never suffices. */
export function chainedPairs(count: number): readonly Message[] {
  return Array.from({ length: count }, (_, at) => (at % 2 === 0 ? assistantCall(at, `t${at / 2}`) : userResult(at, `t${(at - 3) / 2}`)));
}

/** Two responses whose fragments alternate from the first message to the last. */
export function interleavedFragments(count: number): readonly Message[] {
  return Array.from({ length: count }, (_, at) => ({ ...assistantCall(at, `t${at}`), messageId: `m${at % 2}` }));
}

/** Every call and every result with one and the same id. */
export function oneId(count: number): readonly Message[] {
  return Array.from({ length: count }, (_, at) => (at % 3 === 0 ? assistantCall(at, 't') : userResult(at, 't')));
}

/** Results whose calls are nowhere, which a tail has to skip. */
export function orphans(count: number): readonly Message[] {
  return Array.from({ length: count }, (_, at) => userResult(at, `t${at}`));
}

function made(before: readonly Message[], role: Role, content: readonly ContentBlock[], more: Partial<Message>): Message {
  return { id: `line:${before.length + 1}`, role, kind: 'message', content, line: before.length + 1, ...more };
}

function assistantCall(at: number, id: string): Message {
  return { id: `line:${at + 1}`, role: 'assistant', kind: 'message', content: [callOf(id)], line: at + 1 };
}

function userResult(at: number, id: string): Message {
  return { id: `line:${at + 1}`, role: 'user', kind: 'message', content: [resultOf(id, 2)], line: at + 1 };
}

function callOf(id: string): ContentBlock {
  return { type: 'toolUse', id, name: 'Read', input: { file_path: `/workspace/src/${id}.ts` } };
}

function resultOf(toolUseId: string, chars: number): ContentBlock {
  return { type: 'toolResult', toolUseId, content: PROSE.repeat(Math.ceil(chars / PROSE.length)).slice(0, chars) };
}

function words(sentences: number): ContentBlock {
  return { type: 'text', text: PROSE.repeat(sentences) };
}
