/** Bytes that look random and are the same in every run. */
export function makeBytes(length: number, seed = 7): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    bytes[at] = state >> 16
  }
  return bytes
}

export function makeLetters(length: number, alphabet: string): string {
  return Array.from(makeBytes(length), (byte) => alphabet.charAt(byte % alphabet.length)).join('')
}

export function wrapLines(text: string, width: number): string {
  return text.replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\n')
}
