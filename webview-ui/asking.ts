// Asking for plans while a person moves a pivot or ticks a list: seldom enough for the host, and the newest wish wins.
import type { PlanRequestView, PlanView } from '../src/core/protocol/planView';

/** A moving hand asks at most this often. */
const ASK_MS = 80;
/** A hand that has not moved for this long rests, and the whole plan is worked out. */
const REST_MS = 250;

export interface AskOptions {
  /** Asks the host. `figuresOnly` asks for what is there at once. */
  readonly ask: (request: PlanRequestView, figuresOnly: boolean, signal: AbortSignal) => Promise<PlanView>;
  /** An answer, or undefined with what was thrown. `isLast` tells that no other one is on its way. */
  readonly take: (request: PlanRequestView, answer: PlanView | undefined, error: unknown, isLast: boolean) => void;
  /** The kind of plan has figures that come before the rest. */
  readonly staged: boolean;
}

export interface Asking {
  /** Asks for the whole plan at once; whatever was asked before is given up. */
  readonly now: (request: PlanRequestView) => void;
  /**
   * Asks for the figures soon, and for the rest when the hand rests. A request for figures that is under way is let finish, so that they move
   * with the hand however slow the host is; one for a whole plan is given up.
   */
  readonly soon: (request: PlanRequestView) => void;
  /** Gives up everything. */
  readonly stop: () => void;
}

/** Makes the asker of one flow. An answer that is not wanted any more never reaches `take`. */
export function createAsking({ ask, take, staged }: AskOptions): Asking {
  let work: AbortController | undefined;
  let isMoving = false;
  let wanted: PlanRequestView | undefined;
  let atRest: PlanRequestView | undefined;
  let askedAt = -ASK_MS;
  let askTimer: number | undefined;
  let restTimer: number | undefined;

  const send = async (request: PlanRequestView, figuresOnly: boolean): Promise<void> => {
    work?.abort();
    const mine = new AbortController();
    work = mine;
    let answer: PlanView | undefined;
    let thrown: unknown;
    try {
      answer = await ask(request, figuresOnly, mine.signal);
    } catch (error) {
      thrown = error;
    }
    if (mine !== work) return;
    work = undefined;
    isMoving = false;
    const isWhole = !figuresOnly || answer?.outcome !== 'plan' || answer.figuresOnly !== true;
    if (isWhole && wanted === undefined) rest();
    take(request, answer, thrown, isWhole && wanted === undefined);
    if (wanted !== undefined) move();
    else if (atRest !== undefined) {
      const whole = atRest;
      rest();
      void send(whole, false);
    }
  };

  const rest = (): void => {
    clearTimeout(restTimer);
    restTimer = undefined;
    atRest = undefined;
  };

  const move = (): void => {
    if (wanted === undefined || isMoving) return;
    const wait = askedAt + ASK_MS - performance.now();
    if (wait > 0) {
      askTimer ??= window.setTimeout(() => {
        askTimer = undefined;
        move();
      }, wait);
      return;
    }
    const request = wanted;
    wanted = undefined;
    askedAt = performance.now();
    isMoving = true;
    void send(request, staged);
  };

  const stop = (): void => {
    rest();
    clearTimeout(askTimer);
    askTimer = undefined;
    wanted = undefined;
    isMoving = false;
    work?.abort();
    work = undefined;
  };

  return {
    now(request) {
      stop();
      void send(request, false);
    },
    soon(request) {
      wanted = request;
      rest();
      if (staged) {
        restTimer = window.setTimeout(() => {
          restTimer = undefined;
          if (isMoving || wanted !== undefined) atRest = request;
          else void send(request, false);
        }, REST_MS);
      }
      move();
    },
    stop,
  };
}
