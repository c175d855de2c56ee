/** After it lost track the page asks for the whole view again, at most this often. */
const REOPEN_MS = 500;

/** Calls `open` at once, and again at most every `REOPEN_MS`; a demand in between is kept for its end. */
export function createReopener(open: () => void): () => void {
  let resting = false;
  let demanded = false;
  const call = (): void => {
    if (resting) {
      demanded = true;
      return;
    }
    resting = true;
    demanded = false;
    setTimeout(() => {
      resting = false;
      if (demanded) call();
    }, REOPEN_MS);
    open();
  };
  return call;
}
