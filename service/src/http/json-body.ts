/**
 * Parses JSON bodies. One linear pass before JSON.parse refuses duplicate keys, keys that could pollute prototypes, and nesting
 * or numbers of keys that would block the process. Strings are skipped with a native search, so long texts cost almost nothing.
 */
import { isUtf8 } from 'node:buffer'

/** The reason is a part of the answer, so it must not quote the body. */
export class MalformedJson extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'MalformedJson'
  }
}

const MAX_DEPTH = 20
/** In the whole body. The largest body that follows a schema, a batch of 100 documents, has fewer than 1,000. */
const MAX_KEYS = 10_000
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new MalformedJson('the body is not UTF-8')
  refuseAmbiguity(bytes)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // The engine's message quotes the body, which must not be logged.
    throw new MalformedJson('the body is not JSON')
  }
}

/** The keys seen so far in each open object. Undefined for an open array. */
type Nesting = (Set<string> | undefined)[]

function refuseAmbiguity(bytes: Buffer): void {
  const nesting: Nesting = []
  let keys = 0
  for (let index = 0; index < bytes.length; index += 1) {
    switch (bytes[index]) {
      case QUOTE: {
        const end = endOfString(bytes, index)
        if (isKey(bytes, end)) {
          keys += 1
          if (keys > MAX_KEYS) throw new MalformedJson('the body has more than 10,000 keys')
          noteKey(nesting.at(-1), bytes.subarray(index, end + 1))
        }
        index = end
        break
      }
      case OPEN_BRACE:
      case OPEN_BRACKET:
        nesting.push(bytes[index] === OPEN_BRACE ? new Set() : undefined)
        if (nesting.length > MAX_DEPTH)
          throw new MalformedJson('the body is nested too deeply, in more than 20 levels')
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        nesting.pop()
        break
      default:
    }
  }
}

/** Returns the index of the closing quote. */
function endOfString(bytes: Buffer, start: number): number {
  let end = bytes.indexOf(QUOTE, start + 1)
  while (end !== -1 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1)
  if (end === -1) throw new MalformedJson('a string does not end')
  return end
}

function isEscaped(bytes: Buffer, quote: number): boolean {
  let first = quote
  while (bytes[first - 1] === BACKSLASH) first -= 1
  return (quote - first) % 2 === 1
}

/** In valid JSON a string followed by a colon is always a key. Invalid JSON fails in the parser. */
function isKey(bytes: Buffer, endOfText: number): boolean {
  let next = endOfText + 1
  while (isSpace(bytes[next])) next += 1
  return bytes[next] === COLON
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}

function noteKey(seen: Set<string> | undefined, quoted: Buffer): void {
  const key = decodeKey(quoted)
  if (FORBIDDEN_KEYS.has(key))
    throw new MalformedJson('a key is __proto__, constructor or prototype, which no body may have')
  if (seen?.has(key)) throw new MalformedJson('a key occurs twice')
  seen?.add(key)
}

function decodeKey(quoted: Buffer): string {
  try {
    return String(JSON.parse(quoted.toString('utf8')))
  } catch {
    throw new MalformedJson('a key is not a JSON string')
  }
}
