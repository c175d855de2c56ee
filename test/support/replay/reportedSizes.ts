// What each message of a session really cost in the prompts that held it, as far as the provider's reports tell.
import type { Message } from '../../../src/core/model/message';
import type { Inspection } from '../../../src/core/session/inspection';
import type { Piece } from './promptCache';
import type { SessionRequest } from './requests';

/**
 * The prompt of a request in pieces whose sizes add up to what was reported: `system` first, then one piece a message. What two reports differ
 * by belongs to the messages between them, shared out by their estimates; an answer weighs no less than its recorded output, which holds the
 * reasoning that no message shows. A later, smaller report shows that something was taken out before, so no beginning counts as more than the
 * smallest prompt since. `requests` are those of one stretch; the last one is asked about.
 */
export function reportedPieces(requests: readonly SessionRequest[], { transcript, sizes }: Inspection): readonly Piece[] {
  const tokens = weights(requests, transcript.messages, sizes.tokens);
  const prompts = requests.map(({ reported }) => reported?.prompt ?? 0);
  for (let at = prompts.length - 2; at >= 0; at--) prompts[at] = Math.min(prompts[at] ?? 0, prompts[at + 1] ?? 0);
  const pieces: Piece[] = [];
  const seen = new Set<number>();
  let before = 0;
  requests.forEach(({ context }, at) => {
    const fresh = context.filter((index) => !seen.has(index));
    for (const index of fresh) seen.add(index);
    const estimate = fresh.reduce((sum, index) => sum + (tokens[index] ?? 0), 0);
    const grown = (prompts[at] ?? 0) - before;
    before = prompts[at] ?? 0;
    // The first report holds what no message shows: the system prompt and the tools.
    const system = at === 0 ? Math.max(0, grown - estimate) : 0;
    if (at === 0) pieces.push({ key: 'system', tokens: system });
    const scale = estimate > 0 ? (grown - system) / estimate : 0;
    if (estimate === 0 && grown > system) pieces.push({ key: `hidden ${at}`, tokens: grown - system });
    for (const index of fresh) pieces.push({ key: `message ${index}`, tokens: (tokens[index] ?? 0) * scale });
  });
  return pieces;
}

/** Estimates in which no answer weighs less than its recorded output. */
function weights(requests: readonly SessionRequest[], messages: readonly Message[], tokens: readonly number[]): readonly number[] {
  const all = [...tokens];
  requests.forEach(({ reply, reported }, at) => {
    const next = requests[at + 1];
    if (reported === undefined || next === undefined) return;
    const answer = next.context.filter((index) => index >= reply && messages[index]?.role === 'assistant');
    const size = answer.reduce((sum, index) => sum + (tokens[index] ?? 0), 0);
    if (size === 0 || reported.output <= size) return;
    for (const index of answer) all[index] = ((tokens[index] ?? 0) * reported.output) / size;
  });
  return all;
}
