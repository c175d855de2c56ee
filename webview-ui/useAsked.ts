import { useEffect, useState } from 'preact/hooks';
import { useStore } from './context';
import { messageOf } from './errorText';
import type { PageClient } from './rpc';

export type Asked<T> =
  { readonly kind: 'waiting' } | { readonly kind: 'failed'; readonly reason: string } | { readonly kind: 'there'; readonly value: T };

export interface Asking<T> {
  /** Undefined while nothing is wanted. */
  readonly answer: Asked<T> | undefined;
  readonly again: () => void;
}

/**
 * Asks the host for something while it is wanted, and anew when `key` changes or the page shows another session. What is not wanted any more is
 * given up.
 */
export function useAsked<T>(
  isWanted: boolean,
  key: string,
  ask: (client: PageClient, handle: string, signal: AbortSignal) => Promise<T>,
): Asking<T> {
  const { session, act } = useStore();
  const [answer, setAnswer] = useState<Asked<T> | undefined>(undefined);
  const [attempt, setAttempt] = useState(0);
  const handle = session.value?.handle;
  useEffect(() => {
    if (!isWanted || handle === undefined) {
      setAnswer(undefined);
      return;
    }
    const work = new AbortController();
    setAnswer({ kind: 'waiting' });
    act(async (client, of) => {
      try {
        const value = await ask(client, of, work.signal);
        if (!work.signal.aborted) setAnswer({ kind: 'there', value });
      } catch (error) {
        if (!work.signal.aborted) setAnswer({ kind: 'failed', reason: messageOf(error) });
      }
    });
    return () => work.abort();
    // `ask` is made anew with each drawing; `key` tells whether it asks for something else.
  }, [isWanted, handle, key, attempt]);
  return { answer, again: () => setAttempt((count) => count + 1) };
}
