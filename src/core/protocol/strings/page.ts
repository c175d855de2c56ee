// Texts of the frame of the page, and the words that several of its parts share. How they are written: uiStrings.ts.
export const PAGE_STRINGS = {
  'app.loading': 'Reading the session…',
  'app.failed': 'The session could not be opened: {reason}',
  'app.retry': 'Try Again',
  'app.untitled': 'Untitled session',

  'header.live': 'Live',
  'header.liveHint': 'The agent is writing to this session; the numbers follow it.',
  'header.window': '{model} · {window} window',
  'header.windowUnknown': '{model} · unknown window',
  'header.noModel': 'Unknown model',
  'header.sessions': 'Sessions…',
  'header.compact': 'Compact…',
  'header.partial': 'Reading the rest of the file…',
  'header.compactOff': 'There is nothing to compact in this session yet.',

  'count.turns.one': '{count} turn',
  'count.turns.other': '{count} turns',
  'count.compactions.one': '{count} compaction',
  'count.compactions.other': '{count} compactions',
  'count.messages.one': '{count} message',
  'count.messages.other': '{count} messages',

  'state.normal': 'OK',
  'state.warning': 'Filling up',
  'state.error': 'Nearly full',
  'state.autoCompact': 'Compacts next',
  'state.blocked': 'Blocked',
  'state.unknown': 'Unknown window',

  'sign.reported': 'reported',
  'sign.estimate': 'estimate',
  'sign.lowerBound': 'lower bound',
  'sign.derived': 'derived',
  'sign.unknown': 'unknown',

  'signHint.reported': 'Reported by the provider',
  'signHint.estimate': 'Estimated on this machine',
  'signHint.lowerBound': 'At least this many; a part could not be counted',
  'signHint.derived': 'The reported total minus the estimated parts',
  'signHint.unknown': 'It is not known where this number comes from',

  'category.systemPrompt': 'System prompt',
  'category.tools': 'Built-in tools',
  'category.mcpTools': 'MCP tools',
  'category.memory': 'Memory files',
  'category.summary': 'Compaction summary',
  'category.user': 'User',
  'category.assistant': 'Assistant',
  'category.thinking': 'Thinking',
  'category.toolResults': 'Tool results',
  'category.images': 'Images',
  'category.unattributed': 'Not in the file',
  'category.unattributedHint':
    '“Not in the file” is what the provider counted beyond the messages, such as the system prompt and tool definitions.',

  'problem.title': 'This session cannot be read',

  'text.cut': 'Only the beginning is shown here.',

  'action.failed': 'That did not work: {reason}',
  'action.dismiss': 'Dismiss',
} as const satisfies Record<string, string>;
