import type { ModelReply } from '../prompts/summaryReply';

/** What a model's answer is when it is no summary; undefined for anything that may be one. Looks at its beginning and at why it stopped. */
export function replyKind({ text, stopReason }: ModelReply): 'toolCall' | 'webPage' | 'refusal' | undefined {
  if (stopReason !== undefined && TOOL_STOPS.has(stopReason)) return 'toolCall';
  const head = text.trimStart().slice(0, HEAD);
  if (head.startsWith('{"schema"')) return undefined;
  if (WEB_PAGE.test(head)) return 'webPage';
  if (TOOL_CALL.test(head)) return 'toolCall';
  return text.length <= LONGEST_REFUSAL && REFUSAL.test(head) && !text.includes('"summary"') ? 'refusal' : undefined;
}

const HEAD = 600;
const LONGEST_REFUSAL = 3_000;
/** Words of the providers for "the model calls a tool". */
const TOOL_STOPS: ReadonlySet<string> = new Set(['tool_calls', 'tool_use', 'function_call', 'TOOL_CALLS']);
const WEB_PAGE = /^(?:<!doctype html|<html\b|<\?xml\b|<head\b|<body\b)/i;
const TOOL_CALL =
  /^(?:```(?:json|xml)?\s{0,9})?(?:<(?:tool_call|tool_use|function_calls?|invoke|antml:function_calls)\b|\[TOOL_CALLS\]|<\|tool|\{\s{0,9}"(?:name|tool|function|tool_calls|type)"\s{0,9}:\s{0,9}(?:"[\w.-]{1,80}"\s{0,9},\s{0,9}"(?:arguments|parameters|input|args|id|function)"|\[|\{))/i;
const REFUSAL =
  /^(?:["“*\s]{0,4})(?:I(?:['’]m| am) (?:sorry|unable|not able|afraid)|(?:I['’]m )?sorry[,.]? (?:but )?I|I (?:can(?:['’]t|not)|won['’]t|must decline|will not)|As an AI\b|Unfortunately,? I (?:can|am)|My apologies)/i;
