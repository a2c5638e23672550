// Indentation by brackets: one step for a line with unclosed brackets.

import { indentService } from "@codemirror/language";

/** Columns per indentation step. */
const UNIT = 4;

export const indentation = indentService.of((context, pos) => {
  const { doc } = context.state;
  const isBreak = context.simulatedBreak === pos;
  let before = isBreak ? context.lineAt(pos, -1).text : "";
  let number = doc.lineAt(pos).number - 1;
  while (before.trim() === "" && number >= 1) {
    before = doc.line(number).text;
    number -= 1;
  }
  const bare = before.replace(/\/\/.*$/, "");
  const column = /^\s*/.exec(bare)?.[0].length ?? 0;
  // A closing bracket at the start of the line has already reduced the indentation.
  const inner = bare.replace(/^\s*[)}\]]+/, "");
  const open = (inner.match(/[({[]/g)?.length ?? 0) - (inner.match(/[)}\]]/g)?.length ?? 0);
  const closes = /^\s*[)}\]]/.test(context.textAfterPos(pos));
  return Math.max(0, column + (Math.sign(open) - (closes ? 1 : 0)) * UNIT);
});
