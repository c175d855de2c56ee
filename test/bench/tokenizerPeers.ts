import { loadCounter } from '../../src/node/counting/bpeCounter';

/** Loads a counter of o200k_base that takes special tokens as ordinary text. */
export type LoadPeer = () => Promise<(text: string) => number>;

export const OURS = 'context-inspector';
/** The official tokenizer, whose counts are the right ones. */
export const OFFICIAL = 'tiktoken';

/** All that are compared, by the name of their package. */
export const PEERS: ReadonlyMap<string, LoadPeer> = new Map<string, LoadPeer>([
  [
    OURS,
    async () => {
      const counter = await loadCounter('o200k_base');
      return (text) => counter.count(text);
    },
  ],
  [
    OFFICIAL,
    async () => {
      const { get_encoding: getEncoding } = await import('tiktoken');
      const encoder = getEncoding('o200k_base');
      return (text) => encoder.encode_ordinary(text).length;
    },
  ],
  [
    'js-tiktoken',
    async () => {
      const [{ Tiktoken }, ranks] = await Promise.all([import('js-tiktoken/lite'), import('js-tiktoken/ranks/o200k_base')]);
      const encoder = new Tiktoken(ranks.default);
      return (text) => encoder.encode(text, [], []).length;
    },
  ],
  [
    'gpt-tokenizer',
    async () => {
      const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
      const options = { disallowedSpecial: new Set<string>() };
      return (text) => countTokens(text, options);
    },
  ],
  [
    'ai-tokenizer',
    async () => {
      const [{ Tokenizer }, encoding] = await Promise.all([import('ai-tokenizer'), import('ai-tokenizer/encoding/o200k_base')]);
      const tokenizer = new Tokenizer(encoding);
      return (text) => tokenizer.count(text);
    },
  ],
]);
