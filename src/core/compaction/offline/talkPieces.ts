// How what was said is quoted: rules, choices, answers, reports of sub-agents, earlier summaries, the last state.
import type { Piece } from './budget';
import { condensedForms } from './condense';
import { shortenSections } from './earlierSummary';
import { fenced, harmless, inOneLine, quoted } from './markdown';
import { omission } from './requestPieces';
import type { AnswerFact, EarlierSummary, NoteFact, ReportFact, UserChoice, UserRequest, UserStatement } from './sessionFacts';
import { shortened } from './telling';

export interface RulePieces {
  readonly all: readonly Piece[];
  /** Said by the user; never left out. */
  readonly sure: readonly Piece[];
  /** Stand in the middle of pasted text. */
  readonly pasted: readonly Piece[];
  /** Other sentences with the words of a rule, each with its text: stated only where no quoted request holds them. */
  readonly sayings: ReadonlyMap<Piece, string>;
}

/**
 * Rules and decisions in the user's words; each is one line by nature. Decisions of short requests are left to the requests themselves, which
 * are always quoted whole.
 */
export function rulePieces(statements: readonly UserStatement[], requests: readonly UserRequest[]): RulePieces {
  const lengths = new Map(requests.map(({ source, blocks }) => [source.index, blocks.reduce((sum, block) => sum + block.length, 0)]));
  const candidates = statements.filter(
    ({ bearing, source }) => bearing === 'rule' || (bearing === 'decision' && (lengths.get(source.index) ?? 0) > SHORT_REQUEST),
  );
  // Words that the next rule repeats and completes stand there.
  const shown = candidates.filter(({ text }, i) => candidates[i + 1]?.text.includes(text) !== true);
  const pieces = shown.map(({ text, count, isPasted }) => ({
    isPasted,
    piece: { forms: [`- ${harmless(withoutListMark(text))}${count > 1 ? ` (${count} times)` : ''}`] },
  }));
  const shownOnes = new Set(shown);
  const others = statements.filter((statement) => !shownOnes.has(statement) && !statement.isPasted).slice(-MAX_SAYINGS);
  const sayings = new Map(
    others.map(({ text }) => [{ forms: [`- ${harmless(text)}`], label: '**Also said:**', count: 0 }, harmless(text)]),
  );
  const those = (isPasted: boolean): Piece[] => pieces.filter((one) => one.isPasted === isPasted).map(({ piece }) => piece);
  return { all: pieces.map(({ piece }) => piece), sure: those(false), pasted: those(true), sayings };
}

function withoutListMark(sentence: string): string {
  return sentence.replace(/^[-*•>]\s+/, '');
}

export interface ChoicePieces {
  /** The user gave an answer or a reason. */
  readonly spoken: readonly Piece[];
  /** The user only refused. */
  readonly silent: readonly Piece[];
}

/** Answers in question forms and refusals of calls. */
export function choicePieces(choices: readonly UserChoice[]): ChoicePieces {
  const spoken: Piece[] = [];
  const silent: Piece[] = [];
  for (const { kind, about, text } of choices) {
    const topic = shortened(harmless(inOneLine(about)), TOPIC);
    const said = shortened(harmless(inOneLine(text)), REASON);
    const label = kind === 'answer' ? '**Answers to the agent’s questions:**' : '**Refused by the user:**';
    (said === '' ? silent : spoken).push({ label, forms: [`- ${topic}${said === '' ? '' : ` — ${said}`}`] });
  }
  return { spoken, silent };
}

/** Last answers of turns, in order; each names the request that it follows. */
export function answerPieces(answers: readonly AnswerFact[], requests: readonly UserRequest[]): Piece[] {
  let n = 0;
  const heads = answers.map(({ source }) => {
    while ((requests[n]?.source.index ?? Infinity) < source.index) n++;
    return n === 0 ? '- ' : `- To request ${n}: `;
  });
  // The newest answer may say most; older ones give way where they only repeat it.
  const seen = new Set<string>();
  const pieces = [...answers.entries()]
    .reverse()
    .map(([i, { text }]) => ({ forms: condensedForms(harmless(text), seen).map((form) => (heads[i] ?? '') + indented(form)) }));
  return pieces.reverse();
}

/** What the agent wrote on the way: how each note opens and closes. */
export function notePieces(notes: readonly NoteFact[]): Piece[] {
  return notes.map(({ text }) =>
    // Most notes get no room; their forms are made when somebody asks.
    whenAsked('**Notes on the way:**', () =>
      condensedForms(harmless(text))
        .slice(0, 3)
        .map((form) => `- ${indented(form)}`),
    ),
  );
}

/** What sub-agents reported. */
export function reportPieces(reports: readonly ReportFact[]): Piece[] {
  return reports.map(({ task, text }) => {
    const head = task === '' ? '- ' : `- ${shortened(harmless(inOneLine(task)), TOPIC)}: `;
    return whenAsked('**Reports of sub-agents:**', () => condensedForms(harmless(text)).map((form) => head + indented(form)));
  });
}

/** A piece whose forms are made once, at the first look at them. */
function whenAsked(label: string, make: () => readonly string[]): Piece {
  let forms: readonly string[] | undefined;
  return {
    label,
    get forms() {
      return (forms ??= make());
    },
  };
}

/** Earlier summaries, newest first, at several lengths. */
export function earlierSummaryPieces(summaries: readonly EarlierSummary[]): Piece[] {
  return summaries.map(({ text }) => {
    const whole = harmless(text.trim());
    const forms = SUMMARY_LENGTHS.map((max) => shortenSections(whole, max));
    return { forms: distinct(forms).map(fenced) };
  });
}

/** The last words of the agent, from the end of the text backwards when they are long. */
export function lastStatePiece(answer: AnswerFact): Piece {
  const whole = harmless(answer.text);
  const forms = STATE_LENGTHS.map((max) => ends(whole, max));
  return { forms: distinct(forms).map((text) => quoted(text).text) };
}

/** Beginning and end of a text, whole lines where possible. */
function ends(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, wordEnd(text, Math.floor(max * HEAD_PART)));
  const tail = text.slice(wordStart(text, text.length - Math.floor(max * (1 - HEAD_PART))));
  return `${head}\n${omission(text.length - head.length - tail.length)}\n${tail}`;
}

function wordEnd(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at);
  if (line > at / 2) return line;
  const space = text.lastIndexOf(' ', at);
  return space > at / 2 ? space : codePointBorder(text, at);
}

function wordStart(text: string, at: number): number {
  const line = text.indexOf('\n', at);
  const half = at + (text.length - at) / 2;
  if (line >= 0 && line < half) return line + 1;
  const space = text.indexOf(' ', at);
  return space >= 0 && space < half ? space + 1 : codePointBorder(text, at);
}

function codePointBorder(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}

function indented(text: string): string {
  return text.replace(/\n/g, '\n  ');
}

function distinct(forms: readonly string[]): string[] {
  return forms.filter((form, i) => i === 0 || form.length > (forms[i - 1]?.length ?? 0));
}

/** A request up to this long is quoted whole in any case. */
const SHORT_REQUEST = 240;
const MAX_SAYINGS = 300;
const TOPIC = 160;
const REASON = 600;
const HEAD_PART = 0.6;
const SUMMARY_LENGTHS = [1_200, 2_000, 3_000, 4_500, 6_000, 9_000, 13_000, 20_000, 40_000] as const;
const STATE_LENGTHS = [500, 1_500, 4_000] as const;
