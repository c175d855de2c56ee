// P83 on generated conversations: nothing leaves without consent, and no secret leaves with it. All secrets are made up.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { summarizeWithModel, type ModelTurn } from '../../src/core/compaction/modelSummary';
import { isCompactError } from '../../src/core/errors/compactError';
import type { ContentBlock, Message } from '../../src/core/model/message';
import type { Summarizer, SummaryRequest } from '../../src/core/ports/summarizer';
import { withConsent } from '../../src/core/privacy/consent';
import { anyConversation, anyText, validConversation } from '../support/arbitraries';
import { asyncProperty } from '../support/asyncProperty';

const NONCE = '0123456789abcdef';
const SMALL = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at));
const CAPITALS = SMALL.map((letter) => letter.toUpperCase());
const DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));
const LETTERS = [...SMALL, ...CAPITALS];
const SIGNS = [...LETTERS, ...DIGITS];

/** Random letters and digits, with some of both. */
function random(length: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.string({ unit: fc.constantFrom(...SIGNS), minLength: length, maxLength: length }), fc.constantFrom(...LETTERS), fc.nat(9))
    .map(([body, letter, digit]) => `${letter}${digit}${body}Zq7`);
}

interface Planted {
  readonly text: string;
  readonly secret: string;
}

const withPrefix = (prefixes: readonly string[], length: number): fc.Arbitrary<Planted> =>
  fc.tuple(fc.constantFrom(...prefixes), random(length)).map(([prefix, body]) => ({ text: prefix + body, secret: prefix + body }));
const inside = (frames: readonly (readonly [string, string])[], length: number): fc.Arbitrary<Planted> =>
  fc.tuple(fc.constantFrom(...frames), random(length)).map(([[head, tail], secret]) => ({ text: head + secret + tail, secret }));

/** The grammar of secrets: keys by their shape, and values by the name in front of them. */
const planted: fc.Arbitrary<Planted> = fc.oneof(
  withPrefix(
    ['sk-ant-api03-', 'sk-proj-', 'sk-', 'hf_', 'gsk_', 'xai-', 'ghp_', 'gho_', 'github_pat_', 'glpat-', 'npm_', 'AIza', 'xoxb-'],
    36,
  ),
  fc
    .string({ unit: fc.constantFrom(...CAPITALS, ...DIGITS), minLength: 16, maxLength: 16 })
    .map((body) => ({ text: `AKIA${body}`, secret: `AKIA${body}` })),
  inside(
    [
      ['Authorization: Bearer ', ''],
      ['x-api-key: ', ''],
      ['postgres://app:', '@db.invalid/x'],
      ['DB_PASSWORD=', ''],
      ['"password": "', '"'],
      ['client_secret: "', '"'],
      ['AWS_SECRET_ACCESS_KEY=', ''],
      ['deploy --token ', ''],
    ],
    24,
  ),
  random(60).map((body) => ({ text: `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`, secret: body })),
);

type Place = 'asked' | 'said' | 'called' | 'result' | 'wish' | 'rule';
const places: fc.Arbitrary<Place> = fc.constantFrom('asked', 'said', 'called', 'result', 'wish', 'rule');

function blockOf(place: Place, text: string): readonly [Message['role'], ContentBlock] {
  if (place === 'said') return ['assistant', { type: 'text', text }];
  if (place === 'called')
    return ['assistant', { type: 'toolUse', id: 'planted', name: 'Bash', input: { command: text, more: [{ text }] } }];
  if (place === 'result') return ['user', { type: 'toolResult', toolUseId: 'planted', content: text }];
  return [
    'user',
    { type: 'text', text: place === 'rule' ? `Never use ${text} in the tests, and always ask before ${text} is sent.` : text },
  ];
}

const given = fc
  .record({
    conversation: fc.oneof(validConversation, anyConversation),
    secrets: fc.array(fc.tuple(planted, places, anyText), { minLength: 1, maxLength: 4 }),
    answers: fc.array(fc.constantFrom('', 'words', 'I cannot help.', envelope('Various things.'), envelope('See src/ghost.ts.')), {
      minLength: 2,
      maxLength: 2,
    }),
  })
  .map(({ conversation, secrets, answers }) => {
    const added = secrets
      .filter(([, place]) => place !== 'wish')
      .map(([{ text }, place, around]): Message => {
        const [role, block] = blockOf(place, `${around}\n${text}\n${around}`);
        return { id: 'planted', role, kind: 'message', content: [block], line: 0 };
      });
    const wishes = secrets.flatMap(([{ text }, place]) => (place === 'wish' ? [text] : []));
    const request: SummaryRequest = {
      messages: [...conversation, ...added],
      direction: undefined,
      instructions: wishes.join('\n'),
      maxOutputTokens: 1000,
    };
    return { request, secrets: secrets.map(([{ secret }]) => secret), answers };
  });

function envelope(summary: string): string {
  return JSON.stringify({ schema: 'compact-summary/v2', summary });
}

/** Asks a model that answers as it is told; gives all that was sent to it. */
async function sentFor(request: SummaryRequest, answers: readonly string[]): Promise<readonly ModelTurn[]> {
  const sent: ModelTurn[] = [];
  let asked = 0;
  const ask = (turns: readonly ModelTurn[]) => {
    sent.push(...turns);
    return Promise.resolve({ text: answers[asked++] ?? '', stopReason: 'stop', usage: undefined, isRefused: false });
  };
  await summarizeWithModel(request, { name: 'model.invalid', ask }, NONCE).catch((error: unknown) => assert.ok(isCompactError(error)));
  return sent;
}

describe('what leaves the machine', () => {
  asyncProperty(
    'P83: no secret, in the request nor in the question for a better answer; the session stays as it is',
    given,
    async (chosen) => {
      const { request, secrets, answers } = chosen;
      const before = JSON.stringify(request.messages);
      const sent = await sentFor(request, answers);
      assert.ok(sent.length >= 2, 'something was sent');
      const bytes = JSON.stringify(sent);
      for (const secret of secrets) assert.ok(!bytes.includes(secret), `${secret} in ${bytes.slice(0, 2000)}`);
      assert.equal(JSON.stringify(request.messages), before, 'messages and signatures are as they were');
    },
  );

  asyncProperty('P83: nothing without consent', fc.tuple(given, fc.webAuthority()), async ([{ request }, host]) => {
    let asked = 0;
    const sender: Summarizer = {
      capabilities: { label: 'model', host: 'model.invalid' },
      summarize: () => {
        asked++;
        return Promise.resolve({ text: 'x', usage: undefined });
      },
    };
    const { signal } = new AbortController();
    for (const isAllowed of [() => false, (asking: string) => asking === host]) {
      await assert.rejects(withConsent(sender, isAllowed).summarize(request, signal), (error) => isCompactError(error, 'consentRequired'));
    }
    assert.equal(asked, 0);
    await withConsent(sender, (asking) => asking === 'model.invalid').summarize(request, signal);
    assert.equal(asked, 1);
  });
});
