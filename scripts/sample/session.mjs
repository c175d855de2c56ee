// Writes records as Claude Code 2.1 does: one line a content block, tool results as user records, and compactions as a boundary, a summary
// and a list of the messages that were carried over. The usage numbers follow from the text, so they agree with what a reader counts.

const SESSION_ID = '7f3a2c9e-5b1d-4e60-9c84-2d6f0a1b8e57';
export const CWD = '/workspace/counter';
const MODEL = 'claude-opus-4-7';
const VERSION = '2.1.219';
/** System prompt, tools, MCP tools and memory: in every prompt, in no record. */
const OVERHEAD_TOKENS = 39_200;
/** Tokens of this model for one token of o200k_base, as public sessions show. */
const FACTOR = 1.5;
/** Tokens of o200k_base beside the text: for a message, a block, and for a call or result in it. */
const AROUND = { message: 4, block: 2, tool: 20 };
const PICTURE_TOKENS = 1600;

/**
 * @param {{ random: ReturnType<import('./random.mjs').createRandom>, countTokens: (text: string) => number, startMs: number }} tools
 */
export function createSession({ random, countTokens, startMs }) {
  const lines = [];
  /** Records that the next prompt holds, oldest first: uuid and size in tokens. */
  let active = [];
  let leaf = null;
  let clock = startMs;
  let cached = 0;
  let dropped = 0;

  const stamp = (fromMs, toMs) => new Date((clock += random.integer(fromMs, toMs))).toISOString();
  const promptTokens = () => active.reduce((sum, record) => sum + record.tokens, OVERHEAD_TOKENS);
  const id = (prefix, length) => `${prefix}${random.hex(length)}`;

  const push = (record) => lines.push(JSON.stringify(record));
  const envelope = (uuid, timestamp) => ({
    uuid,
    timestamp,
    userType: 'external',
    entrypoint: 'cli',
    cwd: CWD,
    sessionId: SESSION_ID,
    version: VERSION,
    gitBranch: 'fix/token-drift',
  });

  function add(type, message, more = {}, { parent = leaf, tokens, times = [20, 400] } = {}) {
    const uuid = random.uuid();
    push({ parentUuid: parent, isSidechain: false, ...more, type, message, ...envelope(uuid, stamp(...times)) });
    active.push({ uuid, tokens: tokens ?? sizeOf(message.content) });
    leaf = uuid;
    return uuid;
  }

  function sizeOf(content) {
    if (typeof content === 'string') return Math.round(FACTOR * (countTokens(content) + AROUND.message + AROUND.block));
    return Math.round(FACTOR * content.reduce((sum, block) => sum + blockSize(block), AROUND.message));
  }

  function blockSize(block) {
    if (block.type === 'text') return AROUND.block + countTokens(block.text);
    if (block.type === 'image') return AROUND.block + PICTURE_TOKENS / FACTOR;
    if (block.type === 'tool_use') return AROUND.block + AROUND.tool + countTokens(block.name) + countTokens(JSON.stringify(block.input));
    const parts = typeof block.content === 'string' ? [{ type: 'text', text: block.content }] : block.content;
    const inner = parts.map((part) => (part.type === 'text' ? countTokens(part.text) : AROUND.block + PICTURE_TOKENS / FACTOR));
    return AROUND.block + AROUND.tool + inner.reduce((a, b) => a + b, 0);
  }

  return {
    promptTokens,
    lines,

    meta(record) {
      push({ ...record, sessionId: SESSION_ID });
    },

    /** @param {string} text @param {object[]} pictures */
    user(text, pictures = []) {
      const content = pictures.length === 0 ? text : [{ type: 'text', text }, ...pictures];
      add('user', { role: 'user', content }, { promptId: random.uuid() }, { times: [25_000, 190_000] });
    },

    /**
     * One response: what the model says and the calls it makes at once, then their results.
     * @param {string} say
     * @param {readonly { name: string, input: object, result: string | object[], isError?: boolean }[]} calls
     */
    respond(say, calls = []) {
      const prompt = promptTokens();
      const blocks = say === '' ? [] : [{ type: 'text', text: say }];
      const uses = calls.map(({ name, input }) => ({ type: 'tool_use', id: id('toolu_01', 22), name, input }));
      const content = [...blocks, ...uses];
      const fresh = random.integer(3, 9);
      const read = Math.min(cached, prompt - fresh);
      const usage = {
        input_tokens: fresh,
        cache_creation_input_tokens: prompt - fresh - read,
        cache_read_input_tokens: read,
        output_tokens: content.reduce((sum, block) => sum + sizeOf([block]), 0),
        service_tier: 'standard',
      };
      cached = prompt - fresh;
      const shared = { id: id('msg_01', 22), type: 'message', role: 'assistant', model: MODEL };
      const end = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null, usage };
      const requestId = id('req_01', 22);
      clock += random.integer(2_500, 16_000);
      const uuids = content.map((block) => add('assistant', { ...shared, content: [block], ...end }, { requestId }));
      // Each result hangs on the line of its own call; what comes next hangs on the last result.
      calls.forEach(({ result, isError }, index) => {
        const parent = uuids[blocks.length + index];
        const part = { tool_use_id: uses[index].id, type: 'tool_result', content: result, ...(isError ? { is_error: true } : {}) };
        add('user', { role: 'user', content: [part] }, { sourceToolAssistantUUID: parent }, { parent, times: [60, 2_600] });
      });
    },

    /**
     * A compaction: everything but the newest `keep` records gives way to the summary.
     * @param {{ trigger: 'auto' | 'manual', keep: number, summary: string, instructions?: string }} options
     */
    compact({ trigger, keep, summary, instructions = '' }) {
      const preTokens = promptTokens();
      const kept = active.slice(-keep);
      const [boundary, summaryId] = [random.uuid(), random.uuid()];
      const uuids = kept.map((record) => record.uuid);
      const summaryTime = stamp(30_000, 60_000);
      const text = `This session is being continued from a previous conversation that ran out of context. What happened so far:\n\n${summary}`;
      const summaryTokens = sizeOf(text);
      const postTokens = kept.reduce((sum, record) => sum + record.tokens, summaryTokens);
      dropped += preTokens - postTokens;
      push({
        parentUuid: null,
        logicalParentUuid: leaf,
        isSidechain: false,
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        isMeta: false,
        level: 'info',
        compactMetadata: {
          trigger,
          preTokens,
          durationMs: random.integer(38_000, 61_000),
          preservedSegment: { headUuid: uuids[0], anchorUuid: summaryId, tailUuid: uuids.at(-1) },
          preservedMessages: { anchorUuid: summaryId, uuids, allUuids: uuids },
          postTokens,
          cumulativeDroppedTokens: dropped,
        },
        ...envelope(boundary, stamp(200, 400)),
      });
      const message = { role: 'user', content: text };
      const flags = { isVisibleInTranscriptOnly: true, isCompactSummary: true };
      push({ parentUuid: boundary, isSidechain: false, ...flags, type: 'user', message, ...envelope(summaryId, summaryTime) });
      active = [{ uuid: summaryId, tokens: summaryTokens }, ...kept];
      leaf = summaryId;
      cached = OVERHEAD_TOKENS - 700;
      if (trigger === 'auto') return;
      const said = (content, more = {}) => add('user', { role: 'user', content }, more);
      said('<local-command-caveat>The lines below come from a command that the user ran; they ask for nothing.</local-command-caveat>', {
        isMeta: true,
      });
      said(
        `<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args>${instructions}</command-args>`,
      );
      said('<local-command-stdout>Compacted</local-command-stdout>');
    },

    lastPrompt(text) {
      push({ type: 'last-prompt', lastPrompt: text, leafUuid: leaf, sessionId: SESSION_ID });
    },
  };
}
