/**
 * The frames between parent and child: a header of sixteen bytes (length of the body, number, code, value), then the
 * body. Both ends use this file, so they cannot disagree.
 *
 * Frames over a socket were measured to cost about half of Node's own IPC, in the time of parent + child: 11 + 12 µs
 * for a text of 2,000 characters against 23 + 21 µs (`serialization: 'advanced'`) and 22 + 25 µs (`'json'`); 0.5 + 0.5
 * ms for 100,000 characters against 0.8 + 0.6 ms and 0.8 + 1.0 ms.
 */

export interface Frame {
  /** The number of the task. The parent assigns it and the answer repeats it. */
  readonly seq: number
  readonly code: number
  readonly value: number
  /** Valid until the next `push`. */
  readonly body: Buffer
}

/** The codes of frames. The parent sends `hello` once and then `task`; the child sends the others. */
export const codes = {
  /** seq: the parent's pid; value: the memory one child may take, in MB. */
  hello: 1,
  /** value: the time the task may take, in ms; body: the text. */
  task: 2,
  ready: 3,
  /** value: how long it took, in µs; body: the result. */
  done: 4,
  /** body: the name of the error's class. */
  threw: 5,
  overran: 6,
  exhausted: 7,
  /** Added to the code of an answer by a child that holds too much memory to take further tasks. */
  spent: 0x100,
} as const

/** A limit for results, so that a child cannot fill the memory of the parent. */
export const MAX_RESULT_BYTES = 16 * 1024 * 1024

/** Two bytes a character. It is exact for every string, including lone surrogates, and a plain copy at both ends. */
export const TEXT_ENCODING = 'utf16le'

const HEADER = 16
const EMPTY = Buffer.alloc(0)

export function encodeFrame(seq: number, code: number, value: number, body: Buffer = EMPTY): Buffer[] {
  const header = Buffer.allocUnsafe(HEADER)
  header.writeUInt32LE(body.length, 0)
  header.writeUInt32LE(seq, 4)
  header.writeUInt32LE(code, 8)
  header.writeUInt32LE(value, 12)
  return body.length === 0 ? [header] : [header, body]
}

export interface MessageFrameReader {
  push(chunk: Buffer): void
  /** Returns the next whole frame. Throws if a body is above the limit: the bytes after it cannot be trusted. */
  next(): Frame | undefined
}

export function createFrameReader(maxBody: number): MessageFrameReader {
  let store = Buffer.allocUnsafe(64 * 1024)
  let from = 0
  let to = 0

  function makeRoom(bytes: number): void {
    if (to + bytes <= store.length) return
    const held = store.subarray(from, to)
    if (held.length + bytes > store.length) store = Buffer.allocUnsafe(2 * (held.length + bytes))
    held.copy(store)
    to = held.length
    from = 0
  }

  return {
    push(chunk) {
      makeRoom(chunk.length)
      to += chunk.copy(store, to)
    },
    next() {
      if (to - from < HEADER) return undefined
      const length = store.readUInt32LE(from)
      if (length > maxBody) throw new Error(`a frame of ${length} bytes is above the bound of ${maxBody}`)
      if (to - from - HEADER < length) return undefined
      const start = from
      from += HEADER + length
      return {
        seq: store.readUInt32LE(start + 4),
        code: store.readUInt32LE(start + 8),
        value: store.readUInt32LE(start + 12),
        body: store.subarray(start + HEADER, from),
      }
    },
  }
}
