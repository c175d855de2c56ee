import type { Translate } from '../l10n/translate';

export interface RequestFacts {
  /** What the engine would send, and how many likely secrets it has masked in it. */
  readonly text: string;
  readonly masked: number;
  /** Who would get it. */
  readonly receiver: string;
  /** The user is asked again when the document is closed. */
  readonly asksAgain: boolean;
}

/** The document that shows what is sent: first what it is and how many secrets were masked, then the request word for word. */
export function requestText({ text, masked, receiver, asksAgain }: RequestFacts, t: Translate): string {
  const head = [
    t('Nothing of this has been sent. Below the line stands, word for word, what {0} would get.', receiver),
    masked === 0
      ? t('No likely secrets were found in it; look for yourself.')
      : masked === 1
        ? t('1 likely secret is masked as [secret].')
        : t('{0} likely secrets are masked as [secret].', masked),
    t(
      'The random letters around the transcript are made anew for each request. An answer that cannot be used is asked for once more, with that answer added.',
    ),
    ...(asksAgain ? [t('Close this document to be asked again whether it may be sent.')] : []),
  ];
  return `${head.join('\n')}\n${'─'.repeat(80)}\n${text}\n`;
}
