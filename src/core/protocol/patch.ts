import type { SessionPatch, SessionView } from './viewModel';

/**
 * How a patch stands to a view: `next` can be applied, `past` is contained in the view already (a snapshot overtook it), `gap` means that
 * something is missing and only a fresh snapshot helps.
 */
export function patchFit(view: SessionView, patch: SessionPatch): 'next' | 'past' | 'gap' {
  if (patch.handle !== view.handle || patch.to !== patch.from + 1) return 'gap';
  if (patch.from === view.revision) return 'next';
  return patch.to <= view.revision ? 'past' : 'gap';
}

/** Applies a patch, or answers undefined when it does not follow on the view's revision: then a fresh snapshot is needed. */
export function applyPatch(view: SessionView, patch: SessionPatch): SessionView | undefined {
  if (patchFit(view, patch) !== 'next') return undefined;
  return { ...view, ...patch.changes, handle: view.handle, revision: patch.to };
}

/**
 * Makes the patch that turns `before` into `after`: only the parts that differ. What is the same object in both is not looked at. `rowsFrom` is the first row that may differ, null
 * when none does. The caller gives both views the revisions n and n + 1.
 */
export function diffViews(before: SessionView, after: SessionView, rowsFrom: number | null): SessionPatch {
  const changes: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(after)) {
    if (key === 'revision' || key === 'handle') continue;
    if (!isSameData(value, before[key as keyof SessionView])) changes[key] = value;
  }
  return { handle: after.handle, from: before.revision, to: after.revision, changes, rowsFrom };
}

/** Compares two values of plain data. */
export function isSameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((entry, index) => isSameData(entry, b[index]));
  }
  const entries = Object.entries(a);
  return (
    entries.length === Object.keys(b).length &&
    entries.every(([key, value]) => Object.hasOwn(b, key) && isSameData(value, Reflect.get(b, key)))
  );
}
