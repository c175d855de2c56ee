// Answers with the text of the file that STAND_IN_ANSWER names, and writes each question as a line of the file that STAND_IN_ASKED names.
const { appendFileSync, readFileSync } = require('node:fs');
const vscode = require('vscode');

const MODEL = { id: 'one', name: 'Stand-in One', family: 'stand-in', version: '1', maxInputTokens: 500_000, maxOutputTokens: 16_000 };

exports.activate = (context) => {
  const provider = {
    provideLanguageModelChatInformation: () => [{ ...MODEL, capabilities: {}, isUserSelectable: true }],
    provideTokenCount: (model, text) => Math.ceil(JSON.stringify(text).length / 4),
    async provideLanguageModelChatResponse(model, messages, options, progress) {
      const asked = messages.map((message) => message.content.map((part) => part.value ?? '').join(''));
      appendFileSync(process.env.STAND_IN_ASKED, `${JSON.stringify(asked)}\n`);
      const answer = readFileSync(process.env.STAND_IN_ANSWER, 'utf8');
      for (let at = 0; at < answer.length; at += 1000) progress.report(new vscode.LanguageModelTextPart(answer.slice(at, at + 1000)));
    },
  };
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('stand-in', provider));
};
