// Recognises sentences in which a user states a rule, a limit, a wish about the way or a decision.
import { sentencesOfText } from './sentences';

/** Words that state a rule or a limit wherever they stand. */
const RULE =
  /\b(?:must|mustn['’]?t|never|always|only|don['’]?t|do not|does not|doesn['’]t|at least|at most|no more than|not more than|no less than|no longer than|exactly \d|prefer|preferably|avoid|instead of|rather than|without|should|shouldn['’]?t|shall|make sure|ensure|required?|needs? to|has to|have to|no need|not allowed|forbidden|stick (?:to|with))\b|\buse\b.{1,60}\bnot\b|^(?:please |and |also |just )?(?:keep|leave|use)\b/i;

/** The core of them, which is kept even when it stands in a question. */
const HARD_RULE =
  /\b(?:must|mustn['’]?t|never|always|only|don['’]?t|do not|at least|at most|no more than|not more than|no less than|avoid|prefer|should(?:n['’]?t)? not|shouldn['’]?t|not allowed|forbidden)\b/i;

const DECISION =
  /\b(?:let['’]?s|let us|go (?:ahead )?with|we(?:['’]ll| will) (?:use|go)|i(?:['’]d| would) (?:like|prefer|rather)|i want|we want|decided?)\b/i;

/** Talk about what is so, not about what ought to be: "I don't understand", "it only runs", "we should have". */
const TALK =
  /\b(?:don['’]?t|do not|doesn['’]t|does not) (?:really |quite |even )?(?:think|know|understand|see|remember|believe|recall|get|mind|care|reckon|seem|look|have|follow)\b|\b(?:it|that|this|the|my|your|our|he|she|they|we|which|there|is|are|was|were|has|have|had|am|['’]s|['’]re|['’]m|doesn['’]t|does|did) (?:only|always|never|just only)\b|\bshould have\b|\bnot only\b|\bif only\b/i;

/**
 * How a sentence of the user binds the work: a `rule` says how, a `decision` says what; a `mention` has the words of a rule but may be a
 * question or talk about what is so.
 */
export type Bearing = 'rule' | 'decision' | 'mention';

/** Judges one sentence; undefined for plain talk. */
export function bearingOf(sentence: string): Bearing | undefined {
  if (sentence.length > MAX_SENTENCE) return HARD_RULE.test(sentence.slice(0, MAX_SENTENCE)) ? 'mention' : undefined;
  const isRule = RULE.test(sentence);
  if (!isRule && !DECISION.test(sentence)) return undefined;
  const isHard = HARD_RULE.test(sentence);
  if (isQuestion(sentence) || TALK.test(sentence)) return isHard ? 'mention' : undefined;
  return isRule ? 'rule' : 'decision';
}

export interface BindingSentence {
  readonly text: string;
  readonly bearing: Bearing;
  /** Where it starts in the text. */
  readonly start: number;
}

/** The sentences of a user's text that bind the work, in order. */
export function bindingSentences(text: string): BindingSentence[] {
  const found: BindingSentence[] = [];
  let at = 0;
  for (const sentence of sentencesOfText(text)) {
    const start = text.indexOf(sentence, at);
    at = start + sentence.length;
    const bearing = bearingOf(sentence);
    if (bearing !== undefined) found.push({ text: sentence, bearing, start });
  }
  return found;
}

/** True for a sentence with a word that leaves no choice: must, never, only, at most … */
export function isHardRule(sentence: string): boolean {
  return HARD_RULE.test(sentence.slice(0, MAX_SENTENCE));
}

/** True for a sentence that tells somebody what to do; only these count inside of pasted text, which is full of other people's remarks. */
export function isOrder(sentence: string): boolean {
  return sentence.length <= MAX_SENTENCE && ORDER.test(sentence) && HARD_RULE.test(sentence) && !TALK.test(sentence);
}

const ORDER =
  /^(?:[-*•>\s]|\d{1,2}[.)])*\**(?:please |you |we |the agent )?(?:must|never|always|only|don['’]?t|do not|avoid|prefer|should)\b/i;

/** Longer ones are pasted text without sentences. */
const MAX_SENTENCE = 600;

function isQuestion(sentence: string): boolean {
  const end = sentence.trimEnd();
  return end.endsWith('?') || end.endsWith('??') || end.endsWith('?)');
}
