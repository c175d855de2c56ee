import type { VNode } from 'preact';
import { useWords } from '../context';
import { textParts, visibleText } from '../outsideText';

/** A short text of a transcript on one line: plain text, in an isolate of its own, so that its direction does not reach the words around it. */
export function Outside({ text }: { readonly text: string }): VNode {
  return <bdi>{visibleText(text)}</bdi>;
}

export interface OutsideBlockProps {
  readonly text: string;
  readonly label: string;
  /** Length at which the host cuts such a text; one character less where the cut would split a pair. */
  readonly limit?: number;
}

/**
 * A longer text of a transcript as it stands, with its line ends. Web and mail addresses become links, which VS Code opens after asking;
 * everything else, markup included, is text.
 */
export function OutsideBlock({ text, label, limit }: OutsideBlockProps): VNode {
  const { t } = useWords();
  return (
    <>
      <div class="outside" dir="auto" tabIndex={0} role="group" aria-label={label}>
        {textParts(text).map((part, index) =>
          part.kind === 'link' ? (
            <a key={index} href={part.text} title={visibleText(part.text)}>
              {visibleText(part.text)}
            </a>
          ) : (
            visibleText(part.text)
          ),
        )}
      </div>
      {limit !== undefined && text.length >= limit - 1 ? <p class="hint">{t('text.cut')}</p> : null}
    </>
  );
}
