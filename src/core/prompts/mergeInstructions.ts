/**
 * The standing wish and the user's feedback for one partial compaction, which is marked as such. Trimmed; '' when there is neither (seed 2,
 * mergeCompactInstructions).
 */
export function withFeedback(custom: string, feedback: string): string {
  const wish = feedback.trim();
  return joined(custom, wish === '' ? '' : `User context: ${wish}`);
}

/** The user's wish and what a hook adds to it. Trimmed; '' when there is neither (seed 2, mergeCompactHookInstructions). */
export function withHookInstructions(user: string, hook: string): string {
  return joined(user, hook);
}

function joined(...parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}
