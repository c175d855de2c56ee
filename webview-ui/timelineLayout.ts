// Where the parts of the timeline lie. Pure arithmetic; the component only draws it.
import type { TimelinePointView } from '../src/core/protocol/viewModel';

/** Room above the largest context, so that its marks do not touch the edge. */
const HEADROOM = 1.08;

export interface TimelineShape {
  /** Path of the steps, and of the area below them. */
  readonly line: string;
  readonly area: string;
  /** Middle of each point, in pixels. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Where compactions lie, in pixels. */
  readonly boundaries: readonly number[];
}

/** A step for each point: the context holds its size until the next request. */
export function timelineShape(points: readonly TimelinePointView[], peak: number, width: number, height: number): TimelineShape {
  const step = points.length === 0 ? width : width / points.length;
  const top = Math.max(1, peak * HEADROOM);
  const yOf = (tokens: number): number => round(height - (tokens / top) * height);
  const boundaries: number[] = [];
  const parts: string[] = [];
  points.forEach((point, at) => {
    const left = round(at * step);
    const y = yOf(point.tokens);
    if (at > 0 && points[at - 1]?.stretch !== point.stretch) boundaries.push(left);
    parts.push(at === 0 ? `M${left} ${y}` : `V${y}`, `H${round((at + 1) * step)}`);
  });
  const line = parts.join('');
  return {
    line,
    area: line === '' ? '' : `${line}V${height}H0Z`,
    x: points.map((_, at) => round((at + 0.5) * step)),
    y: points.map(({ tokens }) => yOf(tokens)),
    boundaries,
  };
}

/** Where a row lies between the points, in pixels: at the left edge of the first point at or after it, or at the end. */
export function timelinePlace(points: readonly TimelinePointView[], row: number, width: number): number {
  const at = points.findIndex(({ index }) => index >= row);
  return points.length === 0 || at < 0 ? width : round((at * width) / points.length);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
