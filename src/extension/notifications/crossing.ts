import type { WindowState } from '../../core/protocol/viewModel';

export type NotificationLevel = 'off' | 'blocked' | 'autoCompact' | 'error' | 'warning';

/** How far a state is; unknown windows are no state to warn of. */
const RANKS = { unknown: 0, normal: 0, warning: 1, error: 2, autoCompact: 3, blocked: 4 } as const satisfies Record<WindowState, number>;
const LOWEST = { off: Infinity, warning: 1, error: 2, autoCompact: 3, blocked: 4 } as const satisfies Record<NotificationLevel, number>;

/**
 * Tells when a session crosses a limit upwards. Each session and state is told once; what a session was when it was first seen is never
 * told, so nothing pops up at the start.
 */
export class Crossings {
  readonly #last = new Map<string, WindowState>();
  readonly #told = new Set<string>();

  /** True when this change of a session's state is to be told at the given level. */
  observe(session: string, state: WindowState, level: NotificationLevel): boolean {
    const before = this.#last.get(session);
    this.#last.set(session, state);
    if (before === undefined || RANKS[state] <= RANKS[before] || RANKS[state] < LOWEST[level]) return false;
    const key = `${state} ${session}`;
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    return true;
  }
}
