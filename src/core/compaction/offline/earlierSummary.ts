// Shortens an earlier summary so that what matters for going on keeps most of its text. What is missing is stated where it is missing.
import { omission } from './requestPieces';

interface Part {
  readonly lines: readonly string[];
  readonly length: number;
  /** How much of the room it may claim. */
  readonly weight: number;
}

/** The text with about `max` characters: sections share the room by weight, each keeps its first lines, the least important go first. */
export function shortenSections(text: string, max: number): string {
  if (text.length <= max) return text;
  const parts = partsOf(text);
  const shares = sharesOf(parts, max);
  const kept: string[] = [];
  let missing = 0;
  parts.forEach((part, i) => {
    const share = shares[i] ?? 0;
    if (share < Math.min(SMALLEST_PART, part.length)) missing += part.length;
    else {
      if (missing > 0) kept.push(omission(missing));
      missing = 0;
      kept.push(firstLines(part, share));
    }
  });
  if (missing > 0) kept.push(omission(missing));
  return kept.join('\n');
}

/** Splits the room by weight; what short sections leave goes to the others, and sections too small to be told get nothing. */
function sharesOf(parts: readonly Part[], max: number): number[] {
  const byNeed = parts.map((part, i) => ({ i, ...part })).sort((a, b) => b.weight - a.weight || b.i - a.i);
  const told: typeof byNeed = [];
  let room = max;
  for (const part of byNeed) {
    const smallest = Math.min(part.length, SMALLEST_PART);
    if (smallest > room) continue;
    told.push(part);
    room -= smallest;
  }
  const shares = parts.map(() => 0);
  for (const part of told) shares[part.i] = Math.min(part.length, SMALLEST_PART);
  const hungry = told.sort((a, b) => (a.length - SMALLEST_PART) / a.weight - (b.length - SMALLEST_PART) / b.weight);
  let weights = hungry.reduce((sum, { weight }) => sum + weight, 0);
  for (const { i, length, weight } of hungry) {
    const more = Math.max(0, Math.min(length - (shares[i] ?? 0), (room * weight) / weights));
    shares[i] = (shares[i] ?? 0) + more;
    room -= more;
    weights -= weight;
  }
  return shares;
}

function partsOf(text: string): Part[] {
  const sections: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (HEADING.test(line) && (sections.at(-1)?.length ?? 0) > 0) sections.push([]);
    sections.at(-1)?.push(line);
  }
  // A summary may think aloud before it says anything.
  const start = sections.findIndex(([heading]) => SUMMARY_START.test(heading ?? ''));
  return sections.map((lines, i) => ({
    lines,
    length: lines.reduce((sum, line) => sum + line.length + 1, 0),
    weight: i < start ? THINKING_WEIGHT : weightOf(lines[0] ?? ''),
  }));
}

function weightOf(heading: string): number {
  if (/pending|current|next|open|last|request|intent|constraint|decision|state/i.test(heading)) return 4;
  return /error|fix|problem|file|answer|finding/i.test(heading) ? 2 : 1;
}

function firstLines({ lines, length }: Part, max: number): string {
  if (length <= max) return lines.join('\n');
  const kept: string[] = [];
  let used = 0;
  for (const line of lines) {
    if (used + line.length > max) {
      const cut = line.lastIndexOf(' ', Math.floor(max - used));
      if (kept.length === 0 || cut > 0) kept.push(line.slice(0, cut > 0 ? cut : 0));
      used += Math.max(cut, 0) + 1;
      break;
    }
    kept.push(line);
    used += line.length + 1;
  }
  return `${kept.join('\n')} ${omission(length - used)}`;
}

const SMALLEST_PART = 160;
const THINKING_WEIGHT = 0.25;
/** Markdown headings, numbered bold titles, and titles on a line of their own. */
const HEADING = /^(?:#{1,4} |\d{1,2}\. \*\*|\*\*[^*\n]{1,80}\*\*:?\s*$|\d{1,2}\. [A-Z][^.\n]{1,60}:\s*$|Summary:\s*$)/;
const SUMMARY_START = /^(?:#{1,4} |\*\*)?Summary\b/;
