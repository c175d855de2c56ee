// The shapes of keys, tokens and passwords. Each pattern begins with fixed signs or a name and has no repetition inside of another, so that all of
// them take linear time; what only looks like a secret is told apart afterwards.

export type SecretKind =
  'privateKey' | 'providerKey' | 'cloudKey' | 'repositoryToken' | 'chatToken' | 'webToken' | 'authorization' | 'urlPassword' | 'assignment';

export interface SecretShape {
  readonly kind: SecretKind;
  /** One of these stands in every text that has a match; compared in small letters. */
  readonly hints: readonly string[];
  /** The secret is the group `s` where there is one, else the whole match. */
  readonly pattern: RegExp;
  /** `before` are some characters in front of the match. */
  readonly isSecret?: (secret: string, match: string, before: string) => boolean;
}

export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    kind: 'privateKey',
    hints: ['private key'],
    // Line ends may be written as `\n`; a key that was cut off has no end mark.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:\\[rn]|\s){1,8}(?:Proc-Type|DEK-Info|Comment|Version): ?[^\n\\]{0,100}){0,4}[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
    isSecret: (secret) => /[A-Za-z0-9+/=]{32}/.test(secret.replace(/\\[rn]|\s/g, '')) && hasDigitAndLetter(secret),
  },
  { kind: 'privateKey', hints: ['age-secret-key-'], pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{20,100}/g },
  {
    kind: 'providerKey',
    hints: ['sk-', 'pk-'],
    pattern: /\b[sp]k-[A-Za-z0-9_-]{16,300}/g,
    isSecret: (secret) => /^[sp]k-(?:ant|proj|svcacct|or|admin|lf)-/.test(secret) || hasDigitAndLetter(secret.slice(3)),
  },
  {
    kind: 'providerKey',
    hints: [
      'hf_',
      'gsk_',
      'xai-',
      'pplx-',
      'nvapi-',
      'r8_',
      'sbp_',
      'dop_v1_',
      'lin_api_',
      'figd_',
      'shpat_',
      'whsec_',
      'glsa_',
      'dapi',
      'hvs.',
      'sk_live',
      'sk_test',
      'rk_live',
      'rk_test',
      'pypi-',
      'npm_',
      'sntrys_',
      'phc_',
      'tvly-',
      'fc-',
    ],
    pattern:
      /\b(?:hf_|gsk_|xai-|pplx-|nvapi-|r8_|sbp_|dop_v1_|lin_api_|figd_|shp(?:at|ca|pa|ss)_|whsec_|glsa_|dapi|hvs\.|[sr]k_(?:live|test)_|pypi-|npm_|sntrys_|phc_|tvly-|fc-)[A-Za-z0-9_.=-]{16,300}/g,
    isSecret: (secret) => hasDigitAndLetter(secret),
  },
  { kind: 'cloudKey', hints: ['akia', 'asia', 'abia', 'acca'], pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  { kind: 'cloudKey', hints: ['aiza'], pattern: /\bAIza[A-Za-z0-9_-]{30,60}/g },
  { kind: 'cloudKey', hints: ['ya29.'], pattern: /\bya29\.[A-Za-z0-9_-]{20,500}/g },
  {
    kind: 'cloudKey',
    hints: ['accountkey=', 'sharedaccesskey=', 'sig='],
    pattern: /\b(?:AccountKey|SharedAccessKey|sig)=(?<s>[A-Za-z0-9+/%]{30,200}={0,2})/gi,
  },
  {
    kind: 'repositoryToken',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /\b(?:gh[opusr]_|github_pat_)[A-Za-z0-9_]{16,300}/g,
  },
  { kind: 'repositoryToken', hints: ['gl'], pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas)-[A-Za-z0-9_.-]{16,300}/g },
  { kind: 'repositoryToken', hints: ['atatt3', 'atbb', 'atctt3'], pattern: /\b(?:ATATT3|ATCTT3|ATBB)[A-Za-z0-9_=.-]{20,400}/g },
  { kind: 'chatToken', hints: ['xox', 'xapp-'], pattern: /\bx(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,300}/g },
  {
    kind: 'chatToken',
    hints: ['hooks.slack.com', '/api/webhooks/'],
    pattern: /(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks)\/(?<s>[A-Za-z0-9_/-]{20,200})/g,
  },
  { kind: 'chatToken', hints: [':aa'], pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{30,40}\b/g },
  { kind: 'chatToken', hints: ['sg.'], pattern: /\bSG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,60}/g },
  { kind: 'webToken', hints: ['eyj'], pattern: /\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{4,8000}(?:\.[A-Za-z0-9_-]{4,2000})?/g },
  {
    kind: 'authorization',
    hints: ['authorization', 'api-key', 'auth-token', 'access-token', 'private-token', 'cookie'],
    pattern:
      /\b(?:(?:proxy-)?authorization|x-api-key|api-key|x-auth-token|x-access-token|private-token|x-goog-api-key|ocp-apim-subscription-key|set-cookie|cookie)\\?["']?[ \t]{0,3}[:=][ \t]{0,3}\\?["']?(?:(?:bearer|basic|token|apikey|digest|negotiate)\s{1,3})?(?<s>[^\s"'`\\,<>{}[\]$]{6,4000})/gi,
    isSecret: (secret) => !isPlaceholder(secret) && !/^(?:bearer|basic|token|digest|string|undefined|null|none)$/i.test(secret),
  },
  {
    kind: 'authorization',
    hints: ['bearer '],
    pattern: /\bbearer\s{1,3}(?<s>[A-Za-z0-9_.~+/=-]{16,4000})/gi,
    isSecret: (secret) => hasDigitAndLetter(secret) && !isPlaceholder(secret),
  },
  {
    kind: 'urlPassword',
    hints: ['://'],
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'`<>\\]{0,200}:(?<s>[^\s@/"'`<>\\]{1,500})@/gi,
    isSecret: (secret) => !isPlaceholder(secret),
  },
  {
    kind: 'assignment',
    hints: ['pass', 'pwd', 'secret', 'token', 'key', 'credential', 'auth'],
    // NAME=value, "name": "value", name: value, --name value; the value ends at white space, a quote or a bracket, and
    // what is called is no value. What stands in front of the
    // name's last word is looked at afterwards.
    pattern:
      /(?:password|passwd|passphrase|pwd|secret|token|(?:api|access|secret|private|account|encryption|signing|master|service|client)[_-]?key|credentials?|auth)(?![A-Za-z0-9_-])\\?["'`]?(?:[ \t]{0,3}(?:=>|:=|=|:)[ \t]{0,3}|[ \t]{1,3}(?=[^\s=:]))\\?["'`]?(?<s>[^\s"'`\\<>{}()[\];,$]{6,1000})(?![^\s"'`\\<>{})[\];,$])/gi,
    isSecret: isAssignedSecret,
  },
];

/** A value that is assigned to a name of a secret: a literal of many different signs, not an expression or a placeholder. */
function isAssignedSecret(secret: string, match: string, before: string): boolean {
  if (isPlaceholder(secret)) return false;
  const word = /^[A-Za-z_-]+/.exec(match)?.[0] ?? '';
  const name = (/[A-Za-z0-9_.-]*$/.exec(before)?.[0] ?? '') + word;
  const between = match.slice(word.length, match.length - secret.length);
  const isQuoted = /["'`]$/.test(between);
  const isEnvironment = /^[A-Z0-9_]+$/.test(name) && between === '=';
  const isOption = /^\s+$/.test(between);
  // A name and a word behind it are plain talk where no option's dashes stand in front.
  if (isOption && !name.startsWith('-')) return false;
  const isPassword = /(?:pass(?:word|wd|phrase)|pwd)$/i.test(name);
  if (isPassword && (isQuoted || isEnvironment || isOption)) return !/^[A-Za-z]+$/.test(secret);
  if (!hasDigitAndLetter(secret) || secret.length < LEAST_LENGTH) return false;
  // Member access, paths and calls are code.
  if (!isQuoted && !isEnvironment && CODE.test(secret)) return false;
  return entropyOf(secret) >= LEAST_ENTROPY;
}

/** What stands in examples in the place of a secret. */
export function isPlaceholder(text: string): boolean {
  if (/^(?:x{3,}|\*{3,}|\.{3,}|_+|-+)$/i.test(text) || /^[*•.xX]{4,}/.test(text)) return true;
  return /^(?:your|my|the|some|example|placeholder|changeme|change-me|redacted|masked|secret|password|process\.env|os\.environ|env\.|import\.meta)\b|[_-](?:here|placeholder)$/i.test(
    text,
  );
}

function hasDigitAndLetter(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text);
}

/** Bits a sign, by the signs' own frequencies. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const CODE = /^[A-Za-z_]\w*(?:[.:/][A-Za-z_]\w*)+$/;
/** Shorter values are words and numbers of code more often than secrets. */
const LEAST_LENGTH = 12;
/** Words of a language have about 2.5 bits a letter over their own signs, random text of a dozen signs 3 and more. */
const LEAST_ENTROPY = 2.8;
