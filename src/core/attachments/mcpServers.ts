import { createReminder } from '../boundary/reminderMessage';
import { isToolResult, isToolUse, type Message } from '../model/message';
import type { AttachmentSource } from '../ports/attachmentSource';
import { programTexts } from './observedCalls';
import { withinUnits } from './withinUnits';

/** A server of tools and what it asks of those who use them. */
export interface McpServer {
  readonly name: string;
  readonly tools: readonly string[];
  /** '' when none are known. */
  readonly instructions: string;
}

export const MAX_MCP_INSTRUCTIONS_UNITS = 500;

/** Servers as one reminder, with their tools and at most 500 units of instructions each; no message without servers (seed 2, MCP servers). */
export function mcpServerAttachment(servers: readonly McpServer[]): readonly Message[] {
  const paragraphs = servers.map(({ name, tools, instructions }) => {
    const list = tools.length === 0 ? '' : `\n  tools: ${tools.join(', ')}`;
    const text = withinUnits(instructions, MAX_MCP_INSTRUCTIONS_UNITS);
    return `- ${name}${list}${text === '' ? '' : `\n  instructions: ${text}`}`;
  });
  return createReminder('mcp-servers', 'MCP servers', paragraphs.join('\n'));
}

/**
 * Servers whose tools were called or looked up, sorted by name, as are their tools. Instructions count only for such a server, from a text of
 * the program that begins with its heading; the newest one wins (seed 2, MCPStateProvider).
 */
export function mcpServers(messages: readonly Message[]): readonly McpServer[] {
  const tools = new Map<string, Set<string>>();
  for (const name of toolNames(messages)) {
    const [, server = '', tool = ''] = MCP_TOOL.exec(name) ?? [];
    if (server === '') continue;
    const known = tools.get(server) ?? new Set();
    tools.set(server, known.add(tool));
  }
  const instructions = instructionsByServer(messages);
  return [...tools]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, known]) => ({ name, tools: [...known].sort(), instructions: instructions.get(name) ?? '' }));
}

export const mcp: AttachmentSource = {
  id: 'mcpServers',
  collect: ({ originalMessages }) => Promise.resolve(mcpServerAttachment(mcpServers(originalMessages))),
};

/** `mcp__SERVER__TOOL`; the first double underscore ends the server's name. */
const MCP_TOOL = /^mcp__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)__([A-Za-z0-9_-]{1,128})$/;
const HEADING = '## ';

function toolNames(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.isSidechain === true) return [];
    return message.content.flatMap((block) => {
      if (isToolUse(block) && message.role === 'assistant') return [block.name];
      if (!isToolResult(block) || typeof block.content === 'string') return [];
      return block.content.flatMap((part) => (part.type === 'toolReference' ? [part.name] : []));
    });
  });
}

/** By the name that the server has inside names of tools, where other characters became underscores. */
function instructionsByServer(messages: readonly Message[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const text of programTexts(messages)) {
    if (!text.startsWith(HEADING)) continue;
    for (const section of `\n${text}`.split(`\n${HEADING}`).slice(1)) {
      const end = section.indexOf('\n');
      if (end > 0)
        found.set(
          section
            .slice(0, end)
            .trim()
            .replace(/[^A-Za-z0-9_-]/g, '_'),
          section.slice(end + 1),
        );
    }
  }
  return found;
}
