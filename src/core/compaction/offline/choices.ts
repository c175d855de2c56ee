// What the user decided inside of tool results: answers to the agent's question forms and reasons for refusing a call.
import { detailOf, type ToolCall } from './calls';
import type { UserChoice } from './sessionFacts';

const ANSWERED = 'User has answered your questions: ';
const REASONS = ['The user provided the following reason for the rejection:', 'To tell you how to proceed, the user said:'] as const;
const CONTINUE = '. You can now continue';

/** Reads the choices in one call. Only the agent's own forms count, so output of other tools never speaks for the user. */
export function choicesOf(call: ToolCall): UserChoice[] {
  const { outcome, source } = call;
  if (outcome === undefined) return [];
  if (outcome.status === 'refused') {
    const about = `${call.name} ${detailOf(call)}`.trim();
    return [{ source, kind: 'refusal', about, text: reasonIn(outcome.output) }];
  }
  if (call.name !== 'AskUserQuestion' || outcome.status !== 'ok') return [];
  return answersIn(outcome.output).map(({ question, answer }) => ({ source, kind: 'answer', about: question, text: answer }));
}

function reasonIn(output: string): string {
  for (const mark of REASONS) {
    const at = output.indexOf(mark);
    if (at >= 0) return output.slice(at + mark.length).trim();
  }
  return '';
}

/** Pairs of the form `"Question?"="Answer"`. */
function answersIn(output: string): { question: string; answer: string }[] {
  const from = output.indexOf(ANSWERED);
  if (from < 0) return [];
  const end = output.lastIndexOf(CONTINUE);
  const body = output.slice(from + ANSWERED.length, end < from ? undefined : end);
  const found: { question: string; answer: string }[] = [];
  for (let at = 0; at < body.length;) {
    const middle = body.indexOf('"="', at);
    if (middle < 0) break;
    const next = body.indexOf('", "', middle + 3);
    const nextMiddle = body.indexOf('"="', middle + 3);
    const stop = next >= 0 && nextMiddle > next ? next : body.length;
    found.push({ question: body.slice(at, middle).replace(/^"/, ''), answer: body.slice(middle + 3, stop).replace(/"$/, '') });
    at = stop === body.length ? stop : stop + 3;
  }
  return found;
}
