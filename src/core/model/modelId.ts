const LONGEST_ID = 200;

/**
 * Model id without what routers and clouds put around it: `anthropic/…`, `us.anthropic.…`, a trailing `[1m]`. Lower case; cut at 200 units,
 * since ids come from transcripts.
 */
export function plainModelId(model: string): string {
  const id = model.slice(0, LONGEST_ID).trim().toLowerCase();
  const path = id.slice(id.lastIndexOf('/') + 1);
  const vendor = path.lastIndexOf('anthropic.');
  const name = vendor < 0 ? path : path.slice(vendor + 'anthropic.'.length);
  return name.endsWith(LONG_CONTEXT) ? name.slice(0, -LONG_CONTEXT.length) : name;
}

/** Suffix by which Claude Code names the variant with a window of a million tokens. */
export const LONG_CONTEXT = '[1m]';
