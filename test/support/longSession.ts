import { writeFileSync } from 'node:fs';

/** Lines of a made-up Claude Code session: so many turns, each with a call whose result has about 2,000 characters. */
export function longSessionLines(turns = 30): readonly string[] {
  const lines: string[] = [];
  let parent: string | null = null;
  let prompt = 20_000;
  const add = (type: 'user' | 'assistant', message: Record<string, unknown>): void => {
    const uuid = `00000000-0000-4000-8000-${String(lines.length).padStart(12, '0')}`;
    const timestamp = new Date(Date.UTC(2026, 0, 5, 10, 0, lines.length)).toISOString();
    lines.push(
      JSON.stringify({
        parentUuid: parent,
        isSidechain: false,
        userType: 'external',
        cwd: '/workspace/counter',
        sessionId: '11111111-1111-4111-8111-111111111111',
        version: '2.1.332',
        gitBranch: 'main',
        type,
        message,
        uuid,
        timestamp,
      }),
    );
    parent = uuid;
  };
  for (let turn = 0; turn < turns; turn++) {
    add('user', { role: 'user', content: `Request ${turn}: please look at src/part${turn}.ts and never change the public names.` });
    const usage = { input_tokens: 3, cache_creation_input_tokens: 500, cache_read_input_tokens: prompt, output_tokens: 60 };
    prompt += 1500;
    const call = { type: 'tool_use', id: `toolu_${turn}`, name: 'Read', input: { file_path: `/workspace/counter/src/part${turn}.ts` } };
    add('assistant', {
      id: `msg_${turn}a`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [call],
      stop_reason: 'tool_use',
      usage,
    });
    const body = `export const part${turn} = ${turn};\n`.repeat(70);
    add('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${turn}`, content: body }] });
    const text = { type: 'text', text: `Part ${turn} exports one constant and is used by two callers.` };
    add('assistant', {
      id: `msg_${turn}b`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [text],
      stop_reason: 'end_turn',
      usage: { ...usage, cache_read_input_tokens: prompt },
    });
  }
  return lines;
}

export function writeLongSession(path: string, turns?: number): void {
  writeFileSync(
    path,
    longSessionLines(turns)
      .map((line) => `${line}\n`)
      .join(''),
  );
}
