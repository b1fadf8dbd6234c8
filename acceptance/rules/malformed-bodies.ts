/** Bodies that are not JSON, or that two readers could understand differently. */

/** An object with this many levels, itself included. */
export function nestedArrays(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

const bytes = (...values: readonly number[]) =>
  Buffer.concat([Buffer.from('{"name":"'), Buffer.from(values), Buffer.from('"}')])

export const malformedBodies: readonly (readonly [what: string, body: string | Buffer])[] = [
  ['an object that does not end', '{"name":"x"'],
  ['a string that does not end', '{"name":"x'],
  ['a missing value', '{"name":}'],
  ['a trailing comma', '{"name":"x",}'],
  ['single quotes', "{'name':'x'}"],
  ['a comment', '{"name":"x"} // a name'],
  ['two values', '{"name":"x"}{"name":"y"}'],
  ['NaN', '{"name":NaN}'],
  ['a raw line break in a string', '{"name":"x\ny"}'],
  ['an escape that does not exist', '{"name":"\\x41"}'],
  ['nothing but spaces', '   '],
  ['bytes that are not UTF-8', bytes(0xff)],
  ['an overlong encoding', bytes(0xc0, 0xaf)],
  ['half of a surrogate pair in UTF-8', bytes(0xed, 0xa0, 0x80)],
  ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  ['a key that occurs twice', '{"name":"x","name":"y"}'],
  ['a key that occurs twice, once with an escape', '{"name":"x","n\\u0061me":"y"}'],
  ['a key that occurs twice further in', '{"name":{"a":1,"a":2}}'],
  ['the key __proto__', '{"__proto__":{"name":"x"}}'],
  ['the key __proto__ with an escape', '{"__prot\\u006f__":{"name":"x"}}'],
  ['the key constructor', '{"constructor":{"prototype":{"name":"x"}}}'],
  ['more than 20 levels', `{"deep":${nestedArrays(20)}}`],
  ['thousands of levels', `{"deep":${nestedArrays(8_000)}}`],
]
