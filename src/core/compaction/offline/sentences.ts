// Splits prose into sentences. A piece is always a stretch of the text as it stands, so that it can be quoted word for word.

/** Sentences of one line of text, trimmed, in order; the line itself when it holds only one. */
export function sentencesOf(line: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (let i = 0; i < line.length; i++) {
    if (!isSentenceEnd(line, i)) continue;
    sentences.push(line.slice(from, i + 1).trim());
    from = i + 1;
  }
  sentences.push(line.slice(from).trim());
  return sentences.filter((sentence) => sentence !== '');
}

/** Sentences of a text of many lines. A sentence never goes over a line's end. */
export function sentencesOfText(text: string): string[] {
  return text.split('\n').flatMap(sentencesOf);
}

/** True for a full stop, question or exclamation mark that ends a sentence: white space and no small letter follow. */
function isSentenceEnd(line: string, at: number): boolean {
  const mark = line[at];
  if (mark === '。' || mark === '！' || mark === '？') return true;
  if (mark !== '.' && mark !== '!' && mark !== '?') return false;
  const next = line[at + 1];
  if (next !== ' ' && next !== '\t') return false;
  const follower = line.slice(at + 1, at + 8).trimStart()[0];
  // A question that goes on in small letters is one thought; a longer quotation holds the shorter one.
  if (follower === undefined || NO_START.test(follower)) return false;
  return mark !== '.' || !SHORT_FORM.test(line.slice(Math.max(0, at - 5), at));
}

/** What follows a full stop inside of a sentence: small letters and signs that join. */
const NO_START = /[a-z&|,;:)+=<>-]/;
/** Ends of short forms and of list numbers, whose full stop ends no sentence. */
const SHORT_FORM = /(?:^|[\s(*])(?:e\.g|i\.e|etc|vs|cf|No|Mr|Dr|St|\d{1,2}|[A-Z])$/;
