// Colours of the editor, taken from the page's variables so that they follow its dark and
// light modes.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const surface = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "transparent", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overscrollBehavior: "contain", containerType: "inline-size" },
  ".cm-content": { caretColor: "var(--accent)", padding: "12px 0 max(2em, 40vh - 200px)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--raised)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 10px 0 14px" },
  ".cm-activeLine": { backgroundColor: "var(--hover)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--muted)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)", outline: "none" },
  ".cm-selectionMatch": { backgroundColor: "var(--hover)" },
  ".cm-tooltip": {
    color: "var(--text)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    boxShadow: "0 12px 32px rgb(0 0 0 / 0.25)",
    maxWidth: "min(520px, 86vw)",
    overflow: "hidden",
  },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12px", maxHeight: "16em" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--text)", backgroundColor: "var(--selection)" },
  ".cm-completionIcon": { display: "none" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal", marginLeft: "1em" },
  ".cm-completionMatchedText": { textDecoration: "none", color: "var(--accent)" },
  ".cm-completionInfo": { padding: "10px 12px" },
  ".cm-docs": { padding: "10px 12px", fontFamily: "var(--sans)", fontSize: "13px", lineHeight: "1.5" },
  ".cm-docs code": { fontFamily: "var(--mono)", fontSize: "12px", whiteSpace: "pre-wrap", color: "var(--accent)" },
  ".cm-docs > code": { display: "block" },
  ".cm-docs p": { margin: "6px 0 0", whiteSpace: "pre-wrap" },
  ".cm-diagnostic": { padding: "8px 12px", fontFamily: "var(--sans)", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--wrong)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warning)" },
  ".cm-message": {
    margin: "0 12px 2px 6px",
    padding: "2px 0 4px",
    fontFamily: "var(--mono)",
    fontSize: "12px",
    lineHeight: "1.5",
    color: "var(--wrong)",
  },
  ".cm-swatch": { width: "15px", height: "15px", marginRight: "4px", padding: 0, border: "1px solid var(--line)", borderRadius: "3px", verticalAlign: "-2px", background: "none", cursor: "pointer", appearance: "none" },
  ".cm-swatch::-webkit-color-swatch-wrapper": { padding: 0 },
  ".cm-swatch::-webkit-color-swatch": { border: "none", borderRadius: "2px" },
  // As wide as the line above.
  ".cm-message .carets": { fontSize: "13px", whiteSpace: "pre" },
  // The text stays in view beside the line numbers, however long the lines are.
  ".cm-message .text": { position: "sticky", left: "44px", width: "fit-content", maxWidth: "calc(100cqw - 60px)", whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
  ".cm-message.warning": { color: "var(--warning)" },
  ".cm-message .note": { color: "var(--muted)" },
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--raised)", borderColor: "var(--line)" },
  ".cm-panels input, .cm-panels button": { font: "inherit", color: "inherit", background: "var(--field)", border: "1px solid var(--line)", borderRadius: "4px" },
  ".cm-searchMatch": { backgroundColor: "var(--selection)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.docComment], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.meta, tags.annotation], color: "var(--code-keyword)" },
  { tag: [tags.typeName, tags.namespace], color: "var(--code-type)" },
  { tag: [tags.number, tags.bool, tags.constant(tags.variableName)], color: "var(--code-number)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.function(tags.variableName), tags.standard(tags.variableName), tags.definition(tags.variableName)], color: "var(--code-function)" },
  { tag: [tags.operator, tags.punctuation], color: "var(--muted)" },
]);

export const theme = [surface, syntaxHighlighting(colours)];
