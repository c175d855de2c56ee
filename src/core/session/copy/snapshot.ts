// How Gemini CLI and its forks write a summary: in the user's name, between marks, followed by thanks in the model's name.

/** What the agent's program writes in the model's name after a summary. */
export const THANKS = 'Got it. Thanks for the additional context!';

/** The text of the summary message. Agent and readers know a summary by the mark at its beginning. */
export function snapshotText(summary: string): string {
  return `<state_snapshot>\n${summary}\n</state_snapshot>`;
}
