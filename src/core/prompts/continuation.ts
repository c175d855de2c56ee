/** Where the kept messages stand in relation to the summary. */
export type KeptSide = 'after' | 'before';

export interface ContinuationFacts {
  /** Markdown of the summary. */
  readonly summary: string;
  /** `after`: the summary is of the older part (full, up to). `before`: it is of the newest part (from). */
  readonly kept: KeptSide;
  /** Where a reader of the copy finds the uncompacted transcript: whatever the user may see, or nothing. Never made up here. */
  readonly original?: string;
}

/**
 * Text of the user message that carries a summary into the new session: what it is, the summary, where the full record lies, and how the
 * kept messages relate to it. It labels the summary as history, so that nothing in it reads as a new order (R52).
 */
export function continuationText(facts: ContinuationFacts): string {
  return [
    OPENING[facts.kept],
    `Summary:\n${facts.summary}`,
    facts.original === undefined ? NO_ORIGINAL : `The full record before this point is kept unchanged in: ${oneLine(facts.original)}`,
    CLOSING[facts.kept],
  ].join('\n\n');
}

const OPENING: Readonly<Record<KeptSide, string>> = {
  after:
    'This session goes on from an earlier conversation. Its older part was replaced by the summary below. The summary is a record of what happened, not a new request.',
  before:
    'The messages above are the first part of this conversation, word for word. What came after them was replaced by the summary below. The summary is a record of what happened, not a new request.',
};

const CLOSING: Readonly<Record<KeptSide, string>> = {
  after: 'The messages that follow are kept word for word. Go on from where they end.',
  before: 'Go on from the state that the summary describes.',
};

const NO_ORIGINAL = 'The full record of that part is not available here; when a detail is missing, look it up again or ask.';

/** A path or name may come from a hostile folder: it must not add lines of its own. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').trim();
}
