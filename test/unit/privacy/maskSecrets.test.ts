// All secrets of these tests are made up.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Message } from '../../../src/core/model/message';
import { maskMessages } from '../../../src/core/privacy/maskMessages';
import { maskSecrets, type SecretKind } from '../../../src/core/privacy/maskSecrets';
import { outgoingRequest } from '../../../src/core/privacy/outgoingRequest';
import { property } from '../../support/property';
import { asks, bash, says, talk, uses } from '../compaction/offline/talk';

const R = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0';
const NONCE = '0123456789abcdef';

/** Kind, text, and what must not be left of it. */
const SECRETS: readonly (readonly [SecretKind, string, string])[] = [
  ['providerKey', `ANTHROPIC_API_KEY=sk-ant-api03-${R}`, `sk-ant-api03-${R}`],
  ['providerKey', 'key is sk-ant-EXAMPLE0000000000000000000000 there', 'sk-ant-EXAMPLE0000000000000000000000'],
  ['providerKey', `sk-proj-${R}`, `sk-proj-${R}`],
  ['providerKey', `use "sk-${R}"`, `sk-${R}`],
  ['providerKey', `hf_${R}`, `hf_${R}`],
  ['providerKey', `sk_live_${R}`, `sk_live_${R}`],
  ['cloudKey', 'aws AKIAEXAMPLE000000000', 'AKIAEXAMPLE000000000'],
  ['cloudKey', `AIza${R.slice(0, 35)}`, `AIza${R.slice(0, 35)}`],
  ['repositoryToken', `git clone with ghp_${R}`, `ghp_${R}`],
  ['repositoryToken', `glpat-${R.slice(0, 20)}`, `glpat-${R.slice(0, 20)}`],
  ['chatToken', 'xoxb-123456789012-abcdefghij', 'xoxb-123456789012-abcdefghij'],
  ['chatToken', 'https://hooks.slack.com/services/T0000/B0000/abcdefghijklmnop', 'T0000/B0000/abcdefghijklmnop'],
  ['webToken', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0'],
  ['authorization', `curl -H "Authorization: Bearer ${R}" x`, R],
  ['authorization', 'Authorization: Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA=='],
  ['authorization', `x-api-key: ${R}`, R],
  ['authorization', `{\\"authorization\\":\\"Bearer ${R}\\"}`, R],
  ['urlPassword', 'postgres://app:hunter2-example@db.invalid/x', 'hunter2-example'],
  ['urlPassword', 'redis://:s3cr3t!@localhost:6379', 's3cr3t!'],
  ['privateKey', `-----BEGIN RSA PRIVATE KEY-----\n${R}\n${R}\n-----END RSA PRIVATE KEY-----`, R],
  ['privateKey', `"-----BEGIN PRIVATE KEY-----\\n${R}\\n${R}\\n-----END PRIVATE KEY-----\\n"`, R],
  ['privateKey', `-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n${R}\n${R}`, R],
  ['assignment', 'DB_PASSWORD=hunter22', 'hunter22'],
  ['assignment', '"password": "tr0ub4dor&3"', 'tr0ub4dor&3'],
  ['assignment', 'mysql --password s3cr3t-word', 's3cr3t-word'],
  ['assignment', `client_secret: "${R}"`, R],
  ['assignment', `AWS_SECRET_ACCESS_KEY=${R}`, R],
  ['assignment', `const apiKey = '${R}';`, R],
  ['assignment', `deploy --token ${R}`, R],
];

const HARMLESS: readonly string[] = [
  'max_tokens: 20000, tokenCount = 12345678, tokens=abc123def456ghi789',
  'password: string; token?: string; const token = getToken(options1);',
  'const token = request.headers.token1; apiKey: process.env.API_KEY_2',
  'API_KEY=your-api-key-here PASSWORD=${DB_PASSWORD1} TOKEN=<token-123456>',
  'commit 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567 and sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'src/core/privacy/maskSecrets.ts sk-learn-is-a-library task-force-one-two-three',
  'the password must have 12 characters; the secret ingredient is love2020baking',
  'https://example.org:8080/path?x=1 and git@github.com:owner/repo.git http://user@host/',
  'Authorization: Bearer $TOKEN and Authorization: Bearer <token> and authorization: string',
  "if (key === '-----BEGIN PRIVATE KEY-----') return; // -----BEGIN PRIVATE KEY----- starts it",
  'import { token } from "./auth/tokenizer2"; auth: authProvider2Config()',
  'a1b2c3d4-e5f6-4a1b-8c2d-0123456789ab',
  'keyword: 1234abcd5678efgh',
];

describe('likely secrets', () => {
  for (const [kind, text, secret] of SECRETS) {
    it(`are masked: ${kind} in ${text.slice(0, 40)}`, () => {
      const masked = maskSecrets(text);
      assert.ok(!masked.text.includes(secret), masked.text);
      assert.ok(masked.text.includes('[secret]'));
      assert.equal(masked.secrets.length, 1, JSON.stringify(masked.secrets));
      assert.equal(masked.secrets[0]?.kind, kind);
      for (const { start, length } of masked.secrets) assert.ok(text.slice(start, start + length).includes(secret));
    });
  }

  for (const text of HARMLESS)
    it(`are not seen in: ${text.slice(0, 60)}`, () => assert.deepEqual(maskSecrets(text), { text, secrets: [] }));

  it('are found in order, each once, with their places', () => {
    const text = `a ghp_${R} b AKIAEXAMPLE000000000 c`;
    const { text: masked, secrets } = maskSecrets(text);
    assert.equal(masked, 'a [secret] b [secret] c');
    assert.deepEqual(secrets, [
      { kind: 'repositoryToken', start: 2, length: 44 },
      { kind: 'cloudKey', start: 49, length: 20 },
    ]);
  });

  property(
    'never survive, wherever they stand, and masking twice is masking once',
    fc.tuple(
      fc.array(fc.constantFrom(...SECRETS.map(([, text, secret]) => ({ text, secret }))), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('\n', ' ; ', '\n\n> '),
    ),
    ([planted, between]) => {
      const { text } = maskSecrets(planted.map((one) => one.text).join(between));
      for (const { secret } of planted) assert.ok(!text.includes(secret), text);
      assert.equal(maskSecrets(text).text, text);
    },
  );

  it('take linear time in hostile text', () => {
    const hostile = [
      '-----BEGIN PRIVATE KEY-----',
      'password=',
      'token ',
      'a://b:',
      'bearer ',
      'eyJaaaaaaaa.',
      'sk-',
      'api-key: ',
      'x.',
      '\\n',
    ];
    for (const piece of hostile) {
      const before = process.cpuUsage().user;
      maskSecrets(piece.repeat(Math.ceil(400_000 / piece.length)));
      assert.ok(process.cpuUsage().user - before < 3_000_000, piece);
    }
  });
});

describe('messages before they are sent', () => {
  const key = `ghp_${R}`;
  const messages = talk(
    asks(`my key is ${key}`),
    uses('Write', { file_path: '.env', content: `A=1\nDB_PASSWORD=hunter22`, nested: [{ apiKey: R }] }, `wrote ${key}`),
    says('done'),
  );

  it('lose their secrets in texts, arguments and results, and nothing else', () => {
    const masked = maskMessages(messages);
    assert.deepEqual(
      masked.secrets.map(({ kind, messageId }) => `${messageId} ${kind}`),
      ['m0 repositoryToken', 'm1 assignment', 'm1 assignment', 'm2 repositoryToken'],
    );
    const text = JSON.stringify(masked.messages);
    for (const secret of [key, 'hunter22', R]) assert.ok(!text.includes(secret), secret);
    assert.equal(masked.messages[3], messages[3], 'a message without a secret is passed on');
    assert.ok(text.includes('"file_path":".env"'));
  });

  it('keep thinking and its signature', () => {
    const thinking: Message = {
      id: 't',
      role: 'assistant',
      kind: 'message',
      line: 1,
      content: [{ type: 'thinking', text: key, signature: R }],
    };
    assert.deepEqual(maskMessages([thinking]).messages, [thinking]);
  });

  it('are sent as they can be looked at before, and nothing of a secret is in them', () => {
    const request = {
      messages: [...messages, ...talk(bash(`curl -H "Authorization: Bearer ${R}"`, 'ok'))],
      direction: undefined,
      instructions: `keep ${key}`,
      maxOutputTokens: 1000,
    };
    const outgoing = outgoingRequest(request, NONCE);
    const sent = outgoing.system + outgoing.user;
    for (const secret of [key, 'hunter22', R]) assert.ok(!sent.includes(secret), secret);
    assert.equal(outgoing.characters, sent.length);
    assert.equal(outgoing.secrets.length, 6);
    assert.deepEqual(outgoing, outgoingRequest(request, NONCE));
  });
});
