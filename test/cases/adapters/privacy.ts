import { createCompactor } from '../../../src/core/compaction/compact';
import { isCompactError } from '../../../src/core/errors/compactError';
import { textOf, toolResultText, type Message } from '../../../src/core/model/message';
import { prepareSummaryInput } from '../../../src/core/prepare/summaryInput';
import { withConsent } from '../../../src/core/privacy/consent';
import { outgoingRequest } from '../../../src/core/privacy/outgoingRequest';
import { summaryPrompt } from '../../../src/core/prompts/summaryPrompt';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { readSettings } from '../../../src/extension/config/settings';
import { caseErrorName, modelStub } from '../../support/stubCompactor';
import type { CaseAdapter, CaseCall } from '../caseTypes';

const NONCE = '0123456789abcdef';
const HOST = 'api.example.invalid';
/** Made up; one of each family of shapes. */
const PLANTED = [
  'sk-ant-api03-a1B2c3D4e5F6g7H8i9J0',
  'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8',
  'AKIA0123456789ABCDEF',
  'xoxb-123456789012-a1b2c3d4e5f6',
];

/** What leaves the machine, to whom, and who allowed it. */
export const privacy: CaseAdapter = {
  component: 'privacy',
  functions: { buildSummaryRequest, compact, resolveEndpoint },
  properties: {
    P83: async (call, result) => {
      if (isRecord(result) && field(call.args, 'consent') === false && field(result, 'summarizerCalls') !== 0)
        return 'something was sent without consent';
      if (field(call.args, 'redact') !== true) return undefined;
      const leaks = PLANTED.filter((secret) =>
        requestOf({ ...call, messages: [...call.messages, said(`key: ${secret} end`)] }).user.includes(secret),
      );
      return Promise.resolve(leaks.length === 0 ? undefined : `${leaks.length} secrets are in the request`);
    },
  },
};

function said(text: string): Message {
  return { id: 'planted', role: 'user', kind: 'message', content: [{ type: 'text', text }], line: 0 };
}

/** Every word of the messages with the answer to whether the request holds it. */
function buildSummaryRequest(call: CaseCall): JsonRecord {
  const { user, redactions } = requestOf(call);
  const words = call.messages.flatMap(wordsOf);
  return { requestContains: Object.fromEntries(words.map((word) => [word, user.includes(word)])), redactions };
}

function requestOf({ messages, args }: CaseCall): { readonly user: string; readonly redactions: number } {
  const request = { messages: prepareSummaryInput(messages), direction: undefined, instructions: '', maxOutputTokens: 1000 };
  if (field(args, 'redact') !== true) return { user: summaryPrompt(request, NONCE).user, redactions: 0 };
  const { user, secrets } = outgoingRequest(request, NONCE);
  return { user, redactions: secrets.length };
}

function wordsOf(message: Message): readonly string[] {
  const results = message.content.map((block) => (block.type === 'toolResult' ? toolResultText(block) : ''));
  return [textOf(message), ...results].flatMap((text) => text.split(/[\s=:/@"]+/)).filter((word) => word !== '');
}

async function compact({ messages, args, stubs }: CaseCall): Promise<JsonRecord> {
  const stub = modelStub(recordOf(stubs, 'summarizer') ?? {});
  const sender = { ...stub.summarizer, capabilities: { label: 'stub', host: HOST } };
  const summarizer = withConsent(sender, (host) => host === HOST && field(args, 'consent') === true);
  const compactor = createCompactor({ summarizer, counter: BYTES_PER_FOUR });
  let throws: string | null = null;
  try {
    await compactor.compact(messages, { keepMessages: numberOf(args, 'keepRecent'), signal: new AbortController().signal });
  } catch (error) {
    throws = isCompactError(error) ? caseErrorName(error.code) : String(error);
  }
  return { summarizerCalls: stub.asked.length, throws };
}

/** The address that the extension's own reading of the settings chooses. The trust of a workspace changes nothing: it may never choose. */
function resolveEndpoint({ args }: CaseCall): string {
  const layers = { globalValue: stringOf(args, 'userSetting'), workspaceValue: stringOf(args, 'workspaceSetting') };
  return readSettings((key) => (key === 'openai.baseUrl' ? layers : {}))['openai.baseUrl'];
}
