/**
 * Hostile documents. The real reader is safe against hostile text, so a copy of it is made to obey words at the
 * beginning of a text; everything around the reader is as it is.
 */
import { insertBefore, rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'

export interface Bait {
  readonly kind: string
  /** The reasons it may fail for. */
  readonly reasons: readonly string[]
  /** The deed of the reader when it meets the word. */
  readonly deed: string
  /** As long as a text may be, and so with all the time that reading one may take. */
  readonly long?: boolean
}

const MARK = 'POISON'
const LONGEST_TEXT = 99_000

/** 2 GB each: of heap, of buffers one after the other, and of one buffer, for which the kernel is asked at once. */
const HEAP = `{ const held = []; while (held.length < 250) held.push(new Array(1_000_000).fill(1.5)); return held.length }`
const BUFFERS = `{ const held = []; while (held.length < 125) held.push(Buffer.alloc(16_000_000, 1)); return held.length }`
const BUFFER = `return Buffer.alloc(2_000_000_000, 1).length`

const TIME = ['time_exceeded']
const MEMORY = ['memory_exceeded']

export const baits: readonly Bait[] = [
  { kind: 'throw', reasons: ['threw'], deed: `throw new Error(text)` },
  { kind: 'loop', reasons: TIME, deed: `for (;;);` },
  { kind: 'redos', reasons: TIME, deed: `return /^(?:a+)+$/.test('a'.repeat(60) + '!')` },
  // A short text has little time, and it depends on the machine which of the two bounds it meets first.
  { kind: 'heap', reasons: [...TIME, ...MEMORY], deed: HEAP },
  { kind: 'buffers', reasons: [...TIME, ...MEMORY], deed: BUFFERS },
]

/** A few of these are enough: they have the time to take all the memory there is, and must be kept from it. */
export const longBaits: readonly Bait[] = [
  { kind: 'longHeap', reasons: MEMORY, deed: HEAP, long: true },
  { kind: 'longBuffers', reasons: MEMORY, deed: BUFFERS, long: true },
  { kind: 'longBuffer', reasons: MEMORY, deed: BUFFER, long: true },
]

/** Unlike any other, and short, as most documents are, unless it is to be long. */
export function baitText({ kind, long }: Bait, number: number): string {
  const page = `The parcel of lot ${number} was refused at the gate. Nobody signed for it.\n`
  return `${MARK} ${kind}\n\n${long ? page.repeat(LONGEST_TEXT / page.length) : page}`
}

/** A function that does what a text tells it to: whatever a defect could do to any text. */
const OBEY = `(function (text) {
  switch (/^${MARK} (\\w+)/.exec(text)?.[1]) {
${[...baits, ...longBaits].map(({ kind, deed }) => `    case '${kind}': ${deed}`).join('\n')}
  }
})`

/** The text is the first argument of the function that reads. */
export const OBEDIENT_READER: Mutation = {
  name: 'the reader does what a text tells it to',
  at: 'reading.begin',
  change: insertBefore(`${OBEY}(arguments[0])`),
}

/** Documents meet the worker itself, as they would without a sandbox. The task that is read has the text. */
export const OBEDIENT_WORKER: Mutation = {
  name: 'the worker itself does what a text tells it to',
  at: 'attempt.read',
  change: rewriteValue((read) =>
    read.replace(/^.*?\((\w+)\b[^]*$/, (_, task) => `(Object.values(${task}).forEach(${OBEY}), ${read})`),
  ),
}
