// Where the parts of the gauge's bar lie. Pure arithmetic in tokens and pixels; the components only draw it.
import type { Category, LimitKind, LimitView } from '../src/core/protocol/viewModel';

/** Order of the segments, always the same, so that a colour keeps its place: what is there from the start first. */
export const CATEGORY_ORDER: readonly Category[] = [
  'systemPrompt',
  'tools',
  'mcpTools',
  'memory',
  'unattributed',
  'summary',
  'user',
  'assistant',
  'thinking',
  'toolResults',
  'images',
];

/** Narrower segments cannot be told apart or pointed at. */
const MIN_SEGMENT_PX = 2;

export interface Part {
  readonly category: Category;
  readonly tokens: number;
}

export interface Segment {
  /** `other` holds all that is too narrow to be drawn alone. */
  readonly kind: Category | 'other';
  readonly tokens: number;
  /** Start and length in tokens of the bar's scale. */
  readonly start: number;
  readonly length: number;
  /** What `other` is made of. */
  readonly parts: readonly Part[];
}

/**
 * Segments of a bar that is `widthPx` wide and `scale` tokens long. Together they are as long as `used`: estimates of the parts may add up
 * to more than the reported total, and are then drawn shortened. Parts narrower than 2 px are merged at the end.
 */
export function segmentsOf(parts: readonly Part[], used: number, scale: number, widthPx: number): readonly Segment[] {
  const sum = parts.reduce((total, part) => total + part.tokens, 0);
  const factor = sum > used && sum > 0 ? used / sum : 1;
  const ordered = parts.filter((part) => part.tokens > 0).sort((a, b) => rank(a.category) - rank(b.category));
  const isNarrow = (part: Part): boolean => scale <= 0 || ((part.tokens * factor) / scale) * widthPx < MIN_SEGMENT_PX;
  const narrow = ordered.filter(isNarrow);
  const groups: { kind: Segment['kind']; parts: readonly Part[] }[] = ordered
    .filter((part) => !isNarrow(part))
    .map((part) => ({ kind: part.category, parts: [part] }));
  if (narrow.length > 0) groups.push({ kind: 'other', parts: narrow });
  let start = 0;
  return groups.map((group) => {
    const tokens = group.parts.reduce((total, part) => total + part.tokens, 0);
    const segment = { ...group, tokens, start, length: tokens * factor };
    start += segment.length;
    return segment;
  });
}

function rank(category: Category): number {
  return CATEGORY_ORDER.indexOf(category);
}

export interface LimitMark {
  readonly at: number;
  /** Limits that begin here, mildest first. */
  readonly kinds: readonly [LimitKind, ...LimitKind[]];
}

const SEVERITY: readonly LimitKind[] = ['warning', 'error', 'autoCompact', 'blocked'];

/** The limits from left to right; those that begin at the same number are one mark. */
export function limitMarks(limits: readonly LimitView[]): readonly LimitMark[] {
  const marks: LimitMark[] = [];
  const ordered = [...limits].sort((a, b) => a.at - b.at || SEVERITY.indexOf(a.kind) - SEVERITY.indexOf(b.kind));
  for (const { kind, at } of ordered) {
    const last = marks.at(-1);
    if (last?.at === at) marks[marks.length - 1] = { at, kinds: [...last.kinds, kind] };
    else marks.push({ at, kinds: [kind] });
  }
  return marks;
}

/** The gravest limit of a mark, which gives it its icon and colour. */
export function gravest(mark: LimitMark): LimitKind {
  return mark.kinds.at(-1) ?? mark.kinds[0];
}

export interface LabelPlace {
  /** Left edge in pixels. */
  readonly left: number;
  /** Line below the bar, 0 first. */
  readonly line: number;
}

const LABEL_GAP_PX = 8;

/**
 * Places labels of the given widths under their marks (centres in pixels, from left to right): centred where possible, inside the bar's
 * ends, on the first line that has room.
 */
export function placeLabels(labels: readonly { readonly centre: number; readonly width: number }[], barPx: number): readonly LabelPlace[] {
  const ends: number[] = [];
  return labels.map(({ centre, width }) => {
    const left = Math.max(0, Math.min(centre - width / 2, barPx - width));
    const found = ends.findIndex((end) => end + LABEL_GAP_PX <= left);
    const line = found < 0 ? ends.length : found;
    ends[line] = left + width;
    return { left, line };
  });
}
