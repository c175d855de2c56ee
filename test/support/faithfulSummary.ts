import { readFileSync } from 'node:fs';
import { summarizeOffline } from '../../src/core/compaction/offline/offlineSummarizer';
import { SUMMARY_SECTIONS } from '../../src/core/prompts/summaryPrompt';
import { readTranscript } from '../../src/core/transcript/readTranscript';

/**
 * A summary as a careful model would write it of all but the newest messages of a session: every section, nothing left out that must not be
 * lost, nothing invented. Ends with a sentence of the test's own, to find it again.
 */
export function faithfulSummary(path: string, sentence: string, keepMessages = 10): string {
  const { messages, context } = readTranscript(readFileSync(path));
  const zone = context.slice(0, -keepMessages).flatMap((index) => messages[index] ?? []);
  const told = summarizeOffline(zone, { direction: undefined }).replaceAll(/^#+ /gm, '');
  return SUMMARY_SECTIONS.map(([title], at) => `## ${title}\n${at === 0 ? `${told}\n${sentence}` : 'None.'}`).join('\n\n');
}
