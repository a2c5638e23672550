// A CodeMirror language for WGSL: keywords, types, numbers, attributes, comments, and
// naga_oil directives.

import { type StreamParser, StreamLanguage } from "@codemirror/language";

const words = (text: string): Set<string> => new Set(text.split(/\s+/));

const KEYWORDS = words(
  "alias break case const const_assert continue continuing default diagnostic discard else enable fn for if let loop override requires return struct switch var virtual while",
);
const ATOMS = words("true false");
const TYPES = words(
  "array atomic bool f16 f32 i32 mat2x2 mat2x2f mat2x3 mat2x3f mat2x4 mat2x4f mat3x2 mat3x2f mat3x3 mat3x3f mat3x4 mat3x4f mat4x2 mat4x2f mat4x3 mat4x3f mat4x4 mat4x4f ptr sampler sampler_comparison texture_2d texture_2d_array texture_3d texture_cube texture_storage_2d u32 vec2 vec2f vec2i vec2u vec3 vec3f vec3i vec3u vec4 vec4f vec4i vec4u private function uniform storage read write read_write",
);
/** Built-in functions, for highlighting and completion. */
export const BUILTINS =
  "abs acos acosh all any asin asinh atan atan2 atanh bitcast ceil clamp cos cosh countLeadingZeros countOneBits countTrailingZeros cross degrees determinant distance dot dpdx dpdxCoarse dpdxFine dpdy dpdyCoarse dpdyFine exp exp2 extractBits faceForward firstLeadingBit firstTrailingBit floor fma fract frexp fwidth fwidthCoarse fwidthFine insertBits inverseSqrt ldexp length log log2 max min mix modf normalize pack2x16float pack2x16snorm pack2x16unorm pack4x8snorm pack4x8unorm pow quantizeToF16 radians reflect refract reverseBits round saturate select sign sin sinh smoothstep sqrt step tan tanh textureDimensions textureLoad textureSample textureSampleLevel textureSampleGrad transpose trunc unpack2x16float unpack4x8unorm".split(
    " ",
  );
const FUNCTIONS = new Set(BUILTINS);

interface State {
  /** Depth of nested block comments. */
  depth: number;
  /** True after `fn`, before the function's name. */
  naming: boolean;
}

const parser: StreamParser<State> = {
  name: "wgsl",
  startState: () => ({ depth: 0, naming: false }),
  token(stream, state) {
    if (state.depth > 0) return comment(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match("///") || stream.match("//!")) {
      stream.skipToEnd();
      return "docComment";
    }
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.depth = 1;
      return comment(stream, state);
    }
    if (stream.match(/^#\{?[A-Za-z_]\w*\}?/)) return "meta";
    if (stream.match(/^@[A-Za-z_]\w*/)) return "annotation";
    if (stream.match(/^0[xX][\da-fA-F]+(?:\.[\da-fA-F]*)?(?:[pP][+-]?\d+)?[iufh]?/)) return "number";
    if (stream.match(/^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[iufh]?/)) return "number";
    if (stream.match(/^"[^"]*"?/)) return "string";
    const word = stream.match(/^[\p{XID_Start}_][\p{XID_Continue}]*/u);
    if (word && word !== true) return named(word[0], stream.peek() ?? "", stream.match("::", false) === true, state);
    if (stream.match(/^(?:->|::|[-+*/%&|^!=<>~]=?|&&|\|\||<<|>>)/)) return "operator";
    stream.next();
    return "punctuation";
  },
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{"] },
    indentOnInput: /^\s*[)}\]]$/,
    wordChars: "_",
  },
};

type Stream = Parameters<StreamParser<State>["token"]>[0];

function comment(stream: Stream, state: State): string {
  while (!stream.eol() && state.depth > 0) {
    if (stream.match("/*")) state.depth += 1;
    else if (stream.match("*/")) state.depth -= 1;
    else stream.next();
  }
  return "comment";
}

function named(word: string, next: string, isModule: boolean, state: State): string {
  const naming = state.naming;
  state.naming = word === "fn";
  if (naming) return "variableName.definition";
  if (KEYWORDS.has(word)) return "keyword";
  if (ATOMS.has(word)) return "bool";
  if (TYPES.has(word)) return "typeName";
  if (isModule) return "namespace";
  if (FUNCTIONS.has(word) && next === "(") return "variableName.standard";
  if (next === "(") return "variableName.function";
  if (/^[A-Z][A-Z0-9_]+$/.test(word)) return "variableName.constant";
  if (/^[A-Z]/.test(word)) return "typeName";
  return "variableName";
}

export const wgsl = StreamLanguage.define(parser);
