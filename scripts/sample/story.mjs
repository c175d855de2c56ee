// What happens in the sample session: a token counter drifts away from the provider's numbers, pictures are found to be the cause, and it is
// fixed. 47 turns; the context is compacted by itself after the search and by hand after the first fix, and is filling up again at the end.
import { picture } from './tools.mjs';

export const TITLE = 'Fix token counter drift';

const FIRST_SUMMARY = `1. Request: find why the counter in src/core drifts away from the usage that the provider reports, and fix it. The drift must stay below 5 % over a session. The user wants a failing test before each fix and no change to the public names.
2. What is known:
   - \`npm run drift -- test/fixtures/session-images.json\` reproduces it. Turns with text alone are within 4 %; every ninth turn holds a picture and is counted 38 to 44 times too high.
   - \`countImageBlock\` in src/core/count.ts counts the base64 text of the picture. \`countDocumentBlock\` does the same with PDF data.
   - The providers scale pictures: the price follows width × height / 750, at most 1,600 tokens. The bytes say little.
   - src/core/usage.ts is right: Anthropic excludes cached tokens from the input, OpenAI and Gemini include them.
3. Files read: README.md, package.json, src/core/count.ts, src/core/usage.ts, src/core/drift.ts, test/count.test.ts, test/fixtures/session-images.json.
4. Ruled out: the tokenizer (o200k_base agrees to 0.4 % on text), line endings, double counting of cache reads.
5. Open: how large a picture is when only its bytes are known; PDF pages; a test with a real PNG.
6. Next: read the picture's size from its header in a new file src/core/imageSize.ts and use it in countImageBlock.`;

const SECOND_SUMMARY = `1. Request: fix the drift of the counter; keep it below 5 % over a session; a failing test before each fix; public names stay.
2. Tokenizer findings (kept on request): o200k_base agrees with the reported growth of text turns to 0.4 % in the middle and 3.8 % at worst. The factor between o200k_base and the provider's count is 1.00 for this model's text, so no calibration is needed there. Pictures are not text: the provider charges width × height / 750, at most 1,600.
3. Done: src/core/imageSize.ts reads width and height from the PNG header; \`countImageBlock\` uses \`imageTokens\`. The drift of picture turns fell from 40 times to about 1.02.
4. Not done: JPEG sizes fall back to 1,600; \`countDocumentBlock\` still counts base64; no test holds a real file.
5. Files changed: src/core/count.ts, src/core/imageSize.ts (new). Read: src/core/usage.ts, src/core/drift.ts, test/count.test.ts.
6. Next: write the failing test for a PDF first, then count its pages, then run everything.`;

const IMAGE_SIZE = `/** Width and height of a picture, read from the first bytes of its file. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const PNG_SIGNATURE = 'iVBORw0KGgo';
/** What the provider charges at most: larger pictures are scaled down first. */
const MOST_TOKENS = 1600;
const PIXELS_PER_TOKEN = 750;

/** Size of a PNG in base64; undefined for anything else. */
export function pngSize(base64: string): ImageSize | undefined {
  if (!base64.startsWith(PNG_SIGNATURE)) return undefined;
  const header = decodeStart(base64, 24);
  return { width: uint32(header, 16), height: uint32(header, 20) };
}

/** Tokens of a picture: by its size where that is known, else the most that one can cost. */
export function imageTokens(base64: string): number {
  const size = pngSize(base64);
  if (size === undefined) return MOST_TOKENS;
  return Math.min(MOST_TOKENS, Math.ceil((size.width * size.height) / PIXELS_PER_TOKEN));
}

function decodeStart(base64: string, bytes: number): Uint8Array {
  const text = atob(base64.slice(0, Math.ceil(bytes / 3) * 4));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function uint32(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer).getUint32(at);
}
`;

/**
 * Tells the story to a session.
 * @param {ReturnType<import('./session.mjs').createSession>} session
 * @param {ReturnType<import('./tools.mjs').createTools>} tools
 */
export function tellStory(session, tools) {
  const { read, grep, edit, write, bash } = tools;
  const drift = (from, to, over) =>
    bash(
      `npm run drift -- test/fixtures/session-images.json --turns ${from}-${to}`,
      'Print the drift per turn',
      tools.drift(from, to, over),
    );
  const npmTest = (failing, extra) => bash('npm test', 'Run the tests', tools.tests(failing, extra), (failing ?? []).length > 0);
  /** A turn: what is asked, the steps of calls, the answer. */
  const asked = [];
  const turn = (ask, steps, answer, pictures = []) => {
    asked.push(ask);
    session.user(ask, pictures);
    for (const [say, ...calls] of steps) session.respond(say, calls);
    session.respond(answer);
  };

  /** A summary lists what the user said since the one before it. */
  const summary = (text) =>
    `${text}\n\nAll that the user said:\n${asked
      .splice(0)
      .map((ask) => `- "${ask}"`)
      .join('\n')}`;

  session.meta({ type: 'permission-mode', permissionMode: 'acceptEdits' });
  turn(
    'The counter says 61K for a session where the provider reports 24K. Find out why. Look at the README first, change nothing yet.',
    [
      ['I start with the README and the layout.', read('README.md'), read('package.json')],
      ['', grep('export function', 'src')],
    ],
    'The package counts blocks in `src/core/count.ts` and compares the growth with the reported usage in `src/core/drift.ts`. I will measure before I guess: the drift command prints both per turn.',
  );
  session.meta({ type: 'ai-title', aiTitle: TITLE });
  turn(
    'Good. Run it on the recorded session with images.',
    [['', drift(1, 90, 41)]],
    'Text turns are within 4 %. Every ninth turn is counted about 41 times too high, and those are exactly the turns with a picture.',
  );
  turn(
    'Is it the same further on in that session, or only at the start?',
    [['', drift(91, 180, 41), drift(181, 260, 41)]],
    'The same all the way: no text turn is off by more than 4 %, each picture turn is. It does not grow with the length of the session.',
  );
  turn(
    'Show me how blocks are counted.',
    [['', read('src/core/count.ts')]],
    'There it is: `countImageBlock` passes `block.source.data` to the tokenizer. That is base64 text, about 1.4 characters a byte, so a 90 KB picture becomes some 60,000 tokens. The comment above it even says that bytes tell little about the price.',
  );
  turn(
    'Before we settle on that: could the usage side be wrong too? OpenAI and Anthropic report cached tokens differently.',
    [['', read('src/core/usage.ts'), grep('cacheRead', 'src')]],
    'The usage side is right. Anthropic and Bedrock exclude cached tokens from the input, so they are added; OpenAI and Gemini include them, so they are subtracted first. `promptTokens` comes out the same for all.',
  );
  turn(
    'And the drift calculation itself?',
    [['', read('src/core/drift.ts')]],
    '`measureDrift` compares growth with growth, so a constant overhead such as the system prompt cancels out. One thing to note: it counts the reply with the turn it ends, which matches how the next prompt grows.',
  );
  turn(
    'What do the fixtures record for such a turn?',
    [['', read('test/fixtures/session-images.json', 1, 140)]],
    'A picture turn writes 1,300 to 1,700 tokens to the cache whatever its bytes are: 48 KB and 210 KB cost nearly the same. So the provider scales pictures before it counts them.',
  );
  turn(
    'Check the rest of the file as well. I want to be sure that there is no outlier.',
    [['', read('test/fixtures/session-images.json', 141, 130)]],
    'No outlier: 28 picture turns, the cheapest 1,306 and the dearest 1,698 tokens.',
  );
  turn(
    'Look at the bytes of one of the pictures, please. Is it really PNG?',
    [
      [
        'I look at the start of the file.',
        bash('xxd test/fixtures/chart.png | head -300', 'Show the first bytes of the picture', tools.hexdump(300)),
        tools.readPicture('test/fixtures/chart.png'),
      ],
    ],
    'Yes, a PNG: the signature is there and the header chunk says 1200 × 1000. It is a bar chart of the drift of ten sessions.',
  );
  turn(
    'Here is how the provider bills them.',
    [],
    'Width × height / 750, at most 1,600 tokens. For 1200 × 1000 that is 1,600, which fits the fixtures: the dearest turns hold that and a sentence of text.',
    [picture],
  );
  turn(
    'When did this start? It was fine in 0.3.',
    [
      [
        '',
        bash(
          'git log --format="%h %cr  %s" -40',
          'Show recent commits',
          tools.log([
            'Count documents as blocks',
            'Read usage of Bedrock',
            'Add the drift command',
            'Count images as blocks',
            'Take o200k_base for all models',
            'Release 0.3.9',
            'Cache the ranks',
            'Count tool references',
            'Name the blocks as the wire does',
            'Split usage by provider',
            'Release 0.3.8',
            'Describe a block in one line',
            'Use a table in the tests',
            'Drop the guess for unknown blocks',
            'Count search results',
            'Release 0.3.7',
            'Keep the order of blocks',
            'Add four for the message',
            'Count thinking',
            'First measured overheads',
          ]),
        ),
        grep('OVERHEAD', 'src'),
      ],
    ],
    'Since "Count images as blocks": before it, pictures were left out and the count was too low by 1,600 a picture, which nobody noticed below 5 %. With it they are counted as text.',
  );
  turn(
    'What do the tests say about images?',
    [['', read('test/count.test.ts')]],
    'They pass `lorem ipsum` as picture data and a counter that returns a fixed number, so they prove the overhead and nothing else. No test holds a real picture.',
  );
  turn('Run them once so that we know where we stand.', [['', npmTest()]], 'All 48 pass, and none of them would notice the drift.');
  turn(
    'Compare with a tokenizer other than o200k_base. I want to exclude that it is just the wrong ranks.',
    [
      [
        '',
        bash(
          'npm run drift -- test/fixtures/session-images.json --encoding cl100k_base --turns 1-120',
          'Drift with other ranks',
          tools.drift(1, 120, 44),
        ),
      ],
    ],
    'With cl100k_base the text turns get worse (up to 6 %), the picture turns stay 44 times too high. The ranks are not the cause.',
  );
  turn(
    'And with the character heuristic?',
    [
      [
        '',
        bash(
          'npm run drift -- test/fixtures/session-images.json --encoding chars --turns 1-120',
          'Drift with characters / 4',
          tools.drift(1, 120, 38),
        ),
      ],
    ],
    'Text turns vary by up to 20 %, picture turns are 38 times too high. So whatever counts text is fed with something that is not text.',
  );
  turn(
    'Do we have a second recording to confirm it?',
    [
      [
        '',
        bash('npm run drift -- test/fixtures/session-pdf.json --turns 1-130', 'Drift of the session with PDFs', tools.drift(1, 130, 40)),
      ],
    ],
    'Yes, the session with PDFs shows the same factor on its document turns. `countDocumentBlock` has the same line.',
  );
  turn(
    'Are the pictures of the two recordings alike? Compare the bytes.',
    [
      [
        '',
        bash(
          'cmp -l test/fixtures/chart.png test/fixtures/page.png | head -4000 | xxd | head -252',
          'Compare the two pictures',
          tools.hexdump(252),
        ),
      ],
    ],
    'They differ from the 17th byte on, the size in the header, and then everywhere. So the factor does not come from one odd file.',
  );
  turn(
    'Then let us see the last stretch of the first recording again, turn by turn.',
    [['', drift(120, 260, 41)]],
    'Confirmed. I would read the size of the picture from its header and count width × height / 750, at most 1,600.',
  );
  turn(
    'Agreed. What else uses the count of an image?',
    [
      ['', grep('Image', ''), grep('source', '')],
      ['', read('test/fixtures/session-images.json', 1, 200)],
    ],
    'Only `countBlock` and `describeImageBlock`. Both go through `countImageBlock`, so one change is enough.',
  );
  turn(
    'Also list what the largest turns are, for the description of the pull request.',
    [
      [
        '',
        bash(
          'npm run drift -- test/fixtures/session-images.json --sort error --turns 1-170',
          'Largest errors first',
          tools.drift(1, 170, 41),
        ),
      ],
    ],
    'The ten largest errors are all picture turns, 61,000 to 88,000 tokens each. I have what I need for the description.',
  );
  session.compact({ trigger: 'auto', keep: 4, summary: summary(FIRST_SUMMARY) });

  turn(
    'Go on with the fix for PNG.',
    [
      ['The header of a PNG holds its size in fixed places, so no library is needed.', write('src/core/imageSize.ts', IMAGE_SIZE)],
      ['', read('src/core/count.ts', 1, 140)],
      [
        'Now the counter uses it.',
        edit('src/core/count.ts', 'return IMAGE_OVERHEAD + counter.count(body);', 'return IMAGE_OVERHEAD + imageTokens(body);'),
        edit(
          'src/core/count.ts',
          "import type { Counter } from './counter';",
          "import type { Counter } from './counter';\nimport { imageTokens } from './imageSize';",
        ),
      ],
    ],
    '`countImageBlock` now takes the tokens from the size. The parameter `counter` stays, so that the public names are the same.',
  );
  turn(
    'Does it build?',
    [['', bash('npm run build', 'Compile', '\n> counter@0.4.2 build\n> tsc -p .\n')]],
    'It builds without a complaint.',
  );
  turn(
    'And the drift?',
    [['', drift(1, 120, 1.02)]],
    'Picture turns are within 3 % now. The worst turn is off by 74 tokens, and that is a text turn.',
  );
  turn(
    'What happens with a JPEG?',
    [['', grep('MOST_TOKENS', 'src')]],
    'Its size is not read yet, so it counts as 1,600, the most that a picture can cost. That is at most 1,500 too high for a thumbnail.',
  );
  turn('Fine for now. Note it.', [], 'Noted as open: sizes of JPEG and WebP.');
  turn(
    'Why is there an overhead of 4 on top?',
    [['', read('src/core/count.ts', 60, 110)]],
    'It was fitted while the base64 was counted as text, so it means nothing. Measured again over the 28 picture turns it is 3.',
  );
  turn(
    'Set it to what you measured.',
    [['', edit('src/core/count.ts', 'const IMAGE_OVERHEAD = 4;', 'const IMAGE_OVERHEAD = 3;')]],
    'Done; the constant above the picture says 3 and where it comes from.',
  );
  turn('Run the tests.', [['', npmTest()]], 'All pass. The table for `image` still feeds prose, which now counts as 1,600.');
  turn(
    'Wait, shouldn’t they fail then?',
    [['', grep('makeImage', 'test')]],
    'They should, and they do not, because `makeImage` wraps the text into a one-pixel PNG. I will replace that table when the real test is there.',
  );
  turn(
    'How sure are we about the tokenizer on text? Give me the middle and the worst.',
    [
      [
        '',
        bash(
          'npm run drift -- test/fixtures/session-images.json --only text --turns 1-150',
          'Drift of text turns',
          tools.drift(1, 150, 1.01),
        ),
      ],
    ],
    '0.4 % in the middle, 3.8 % at worst, over 232 text turns. The factor between our count and the report is 1.00, so text needs no calibration.',
  );
  turn(
    'And over a whole session?',
    [
      [
        '',
        bash(
          'npm run drift -- test/fixtures/session-images.json --total',
          'Total drift',
          'reported 112,486\ncounted  112,944\nerror       +458   0.4%',
        ),
      ],
    ],
    '0.4 % in total: 458 tokens of 112,486.',
  );
  turn('Keep these numbers, I need them for the changelog.', [], 'I will keep them: 0.4 % in the middle, 3.8 % at worst, 0.4 % in total.');
  turn(
    'What would a picture of 4000 × 3000 cost by our formula?',
    [],
    '16,000 by width × height / 750, cut to 1,600. The provider scales it down to about 1,568 on the long edge first, so 1,600 is right within 3 %.',
  );
  turn(
    'Good. Last check of the diff before we go on.',
    [
      [
        '',
        bash(
          'git diff --stat',
          'Show what changed',
          ' src/core/count.ts     |  5 +++--\n src/core/imageSize.ts | 38 ++++++++++++++++++++++++++++++++++++++\n 2 files changed, 41 insertions(+), 2 deletions(-)',
        ),
      ],
    ],
    'Two files, 41 lines added. The tests are next.',
  );
  session.compact({
    trigger: 'manual',
    keep: 6,
    summary: summary(`${SECOND_SUMMARY}\n\nsrc/core/imageSize.ts:\n\`\`\`ts\n${IMAGE_SIZE}\`\`\``),
    instructions: 'keep the tokenizer findings',
  });

  turn(
    'Now the documents. Write the failing test first.',
    [
      ['I read the tests as they are now.', read('test/count.test.ts')],
      [
        'I add a case with a real PDF of twelve pages.',
        edit(
          'test/count.test.ts',
          "  it('adds four for the message', () => {",
          `  it('counts a PDF by its pages and not by its bytes', () => {
    const block = { type: 'document', source: { media_type: 'application/pdf', data: manualPdf } } as const;
    assert.equal(countDocumentBlock(block, fixedCounter(61_000)), 27_605);
  });

  it('adds four for the message', () => {`,
        ),
      ],
      ['', npmTest(['counts a PDF by its pages and not by its bytes'])],
    ],
    'It fails as it should: 61,000 and more instead of 27,605.',
  );
  turn(
    'Read the counter again, all of it. The document path needs the same care.',
    [['', read('src/core/count.ts')]],
    '`countDocumentBlock` still counts base64. A PDF has no single size: the provider renders each page and adds its text.',
  );
  turn(
    'What do the recordings say about pages?',
    [['', bash('npm run drift -- test/fixtures/session-pdf.json --pages --turns 1-190', 'Drift by pages', tools.drift(1, 190, 39))]],
    'The growth follows the number of pages: about 1,600 for the picture of a page and 700 for its text.',
  );
  turn(
    'Show me the recorded usage for those turns.',
    [
      ['', read('test/fixtures/session-images.json', 60, 150)],
      ['', drift(60, 180, 1.02)],
    ],
    'The same pattern: what is written to the cache is 2,250 to 2,350 a page, with a spread of 4 %.',
  );
  turn(
    'Can we count the pages without a PDF library?',
    [
      [
        '',
        bash('grep -c "/Type /Page" test/fixtures/manual.pdf', 'Count the page objects', '12'),
        bash('xxd test/fixtures/manual.pdf | head -298', 'Show the first bytes of the PDF', tools.hexdump(298)),
      ],
    ],
    'Where page objects are not compressed, yes: `/Type /Page` occurs once a page. Where they are, the number of pages stands in `/Count`. If neither is found I would take one page and say that it is a lower bound.',
  );
  turn(
    'Do that. Lower bound must be visible in the report.',
    [
      [
        '',
        edit(
          'src/core/count.ts',
          'return DOCUMENT_OVERHEAD + counter.count(body);',
          'return DOCUMENT_OVERHEAD + documentPages(body) * PAGE_TOKENS;',
        ),
        edit(
          'src/core/count.ts',
          '/** Tokens of one block of any kind. */',
          `/** Picture and text of one page, measured over 61 documents. */
const PAGE_TOKENS = 2300;

/** Pages of a PDF in base64; 1 when the file does not say, which makes the count a lower bound. */
export function documentPages(base64: string): number {
  const text = atob(base64);
  const objects = text.match(/\\/Type\\s*\\/Page\\b/g)?.length ?? 0;
  const stated = Number(/\\/Count\\s+(\\d+)/.exec(text)?.[1] ?? 0);
  return Math.max(1, objects, stated);
}

/** Tokens of one block of any kind. */`,
        ),
      ],
      ['', read('src/core/count.ts', 90, 170)],
    ],
    'Documents are counted by pages now. `describeDocumentBlock` does not yet say that one page may be a lower bound.',
  );
  turn(
    'Here is what the report looks like at the moment.',
    [['', read('src/core/drift.ts'), grep('describe', '')]],
    'I see the bar of the session with PDFs. The line of a block has room for a sign before the number, so I would print "≥" there.',
    [picture],
  );
  turn(
    'Yes. And run the drift over both recordings once more.',
    [
      ['', drift(1, 200, 1.02)],
      [
        '',
        bash('npm run drift -- test/fixtures/session-pdf.json --turns 1-200', 'Drift of the session with PDFs', tools.drift(1, 200, 1.03)),
      ],
    ],
    'Both are below 5 % on every turn now. The worst is a page with a full-width table, 4.1 %.',
  );
  turn(
    'Patch the description and run the tests.',
    [
      [
        '',
        edit(
          'src/core/count.ts',
          'export function describeDocumentBlock(block: DocumentBlock, counter: Counter, total: number): string {',
          "export function describeDocumentBlock(block: DocumentBlock, counter: Counter, total: number, sign = ''): string {",
        ),
      ],
      ['', npmTest([], ['counts a PDF by its pages and not by its bytes'])],
    ],
    'All 49 pass, the new one among them.',
  );
  turn(
    'Also check the path for pictures inside of tool results. Same session, last column.',
    [
      ['', tools.readPicture('test/fixtures/tool-result.png'), grep('tool_result', '')],
      [
        '',
        bash(
          'npm run drift -- test/fixtures/session-tools.json --turns 1-190',
          'Drift of the session with pictures from tools',
          tools.drift(1, 190, 1.02),
        ),
      ],
    ],
    'They take the same path, since a tool result is counted part by part. 190 turns, the worst 3.7 %.',
  );
  turn(
    'Read the fixture of that session to be sure that the pictures are really there.',
    [['', read('test/fixtures/session-images.json', 1, 170)]],
    'They are: 18 of the 170 turns hold a picture in a tool result.',
  );
  turn(
    'Then the complete drift table for the pull request, please.',
    [['', bash('npm run drift -- --all --turns 1-210', 'Drift of all recordings', tools.drift(1, 210, 1.02))]],
    'In total 0.6 % over the three recordings, and no turn above 5 %.',
  );
  turn(
    'Last run of everything, then we are done.',
    [
      [
        '',
        npmTest([], ['counts a PDF by its pages and not by its bytes']),
        bash('npm run build', 'Compile', '\n> counter@0.4.2 build\n> tsc -p .\n'),
      ],
    ],
    'All 49 pass and it builds. Shall I open the pull request with the table and the numbers of the tokenizer?',
  );
  session.lastPrompt('Last run of everything, then we are done.');
}
