/** Where the page is shown: in the inspector's panel, in the side bar, or as a custom editor. */
export type Surface = 'panel' | 'sidebar' | 'editor';

export interface PageParts {
  readonly cspSource: string;
  readonly nonce: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly surface: Surface;
  readonly language: string;
}

/**
 * The static page: no data of any session, two addresses, and a policy under which nothing else can be loaded or run. The nonce's meta
 * element is for the toolkit's own style elements, which the policy would refuse otherwise.
 */
export function pageHtml(parts: PageParts): string {
  const { cspSource, nonce } = parts;
  const policy = [
    `default-src 'none'`,
    `img-src ${cspSource}`,
    `font-src ${cspSource}`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${attribute(parts.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${attribute(nonce)}">
<link rel="stylesheet" href="${attribute(parts.styleUri)}">
<title>Context Inspector</title>
</head>
<body data-surface="${parts.surface}">
<div id="app"></div>
<script type="module" nonce="${attribute(nonce)}" src="${attribute(parts.scriptUri)}"></script>
</body>
</html>
`;
}

/** A page that only says why there is nothing to show. It runs no script and loads nothing. */
export function noticeHtml(sentence: string, language: string): string {
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>Context Inspector</title>
</head>
<body><p>${attribute(sentence)}</p></body>
</html>
`;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Text for an attribute in double quotes or for an element. */
function attribute(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES.get(sign) ?? sign);
}
