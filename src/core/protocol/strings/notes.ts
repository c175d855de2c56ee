// Texts of the notes on reading, and of side conversations. How they are written: uiStrings.ts.
export const NOTES_STRINGS = {
  'diagnostics.title': 'Reading notes',
  'diagnostics.line': 'Line {line}',
  'diagnostics.more': 'and {count} more',
  'diagnostics.error.one': '{count} error',
  'diagnostics.error.other': '{count} errors',
  'diagnostics.warning.one': '{count} warning',
  'diagnostics.warning.other': '{count} warnings',
  'diagnostics.info.one': '{count} note',
  'diagnostics.info.other': '{count} notes',

  'severity.error': 'Error',
  'severity.warning': 'Warning',
  'severity.info': 'Note',

  'sidechains.title': 'Side conversations',
  'sidechains.hint': 'Subagents have windows of their own; their messages do not fill this one.',
  'sidechains.id': 'Conversation',
  'sidechains.messages': 'Messages',
  'sidechains.tokens': 'Tokens',
} as const satisfies Record<string, string>;
