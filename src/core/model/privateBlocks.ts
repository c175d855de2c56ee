// Blocks that a session keeps for itself. They are of no type that a provider knows and never leave for one.

/** A decision about a tool result (see toolResults/replacementRecords.ts). */
export const CONTENT_REPLACEMENT = 'content_replacement';

/** What a model sent as a call and could not be read as one; kept for audit. */
export const INVALID_TOOL_USE = 'invalid_tool_use';
