import { createReminder } from '../boundary/reminderMessage';
import type { Message } from '../model/message';
import type { AttachmentSource } from '../ports/attachmentSource';
import { observedCalls, programTexts, textInput } from './observedCalls';
import { withinUnits } from './withinUnits';

/** A kind of sub-agent that may be asked. */
export interface AgentDefinition {
  readonly name: string;
  /** '' when unknown. */
  readonly whenToUse: string;
}

export const MAX_WHEN_TO_USE_UNITS = 240;

/** Agents as one reminder, a line each with at most 240 units of when to use it; no message without agents (seed 2, agent list). */
export function agentAttachment(agents: readonly AgentDefinition[]): readonly Message[] {
  const lines = agents.map(({ name, whenToUse }) => {
    const text = withinUnits(whenToUse, MAX_WHEN_TO_USE_UNITS);
    return text === '' ? `- ${name}` : `- ${name}: ${text}`;
  });
  return createReminder('agents', 'agents', lines.join('\n'));
}

/**
 * Agents that the program listed or the conversation asked, sorted by name. A text counts as a list when each of its lines, after at most one
 * that introduces it, names an agent and its tools (seed 2, AgentDefinitionProvider).
 */
export function agentDefinitions(messages: readonly Message[]): readonly AgentDefinition[] {
  const found = new Map<string, string>();
  for (const call of observedCalls(messages)) {
    const name = CALLS.has(call.name) ? textInput(call, 'subagent_type') : undefined;
    if (name !== undefined && name.length <= MAX_NAME_UNITS && NAME.test(name)) found.set(name, '');
  }
  for (const text of programTexts(messages)) for (const { name, whenToUse } of listed(text)) found.set(name, whenToUse);
  return [...found].map(([name, whenToUse]) => ({ name, whenToUse })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const agents: AttachmentSource = {
  id: 'agents',
  collect: ({ originalMessages }) => Promise.resolve(agentAttachment(agentDefinitions(originalMessages))),
};

const CALLS = new Set(['Agent', 'Task']);
const MAX_NAME_UNITS = 100;
const NAME = /^[A-Za-z0-9_][\w:.-]*$/;

function listed(text: string): readonly AgentDefinition[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const list = lines[0]?.endsWith(':') === true ? lines.slice(1) : lines;
  const found: AgentDefinition[] = [];
  for (const line of list) {
    const agent = agentOf(line);
    if (agent === undefined) return [];
    found.push(agent);
  }
  return found;
}

/** `- NAME: when to use it (Tools: …)`. */
function agentOf(line: string): AgentDefinition | undefined {
  const colon = line.indexOf(': ');
  const tools = line.lastIndexOf(' (Tools: ');
  if (!line.startsWith('- ') || !line.endsWith(')') || tools < colon || colon < 0) return undefined;
  const name = line.slice(2, colon);
  return name.length <= MAX_NAME_UNITS && NAME.test(name) ? { name, whenToUse: line.slice(colon + 2, tools) } : undefined;
}
