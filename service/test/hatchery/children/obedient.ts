/**
 * A child that does what its text tells it to: the first word is the deed, the second its measure. Any other text is
 * read as a document.
 */
import { serveTasks } from '../../../src/hatchery/sandbox/child-loop.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

class BadDocument extends Error {}

const kept: unknown[] = []

const deeds: Readonly<Record<string, (measure: number, text: string) => unknown>> = {
  measure: (_, text) => ({ length: text.length, pid: process.pid }),
  echo: (_, text) => text,
  work: (ms, text) => {
    const until = performance.now() + ms
    let sum = 0
    while (performance.now() < until) sum += Math.sqrt(sum + 1)
    return { length: text.length, pid: process.pid }
  },
  throw(_, text) {
    // The message quotes the document, as messages of parsers do.
    throw new BadDocument(text.split(' ')[1])
  },
  throwText(_, text) {
    throw text
  },
  loop() {
    for (;;);
  },
  redos: () => /^(?:a+)+$/.test(`${'a'.repeat(60)}!`),
  sleep: (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  heap() {
    const held: object[] = []
    for (;;) held.push({ held: held.length, words: ['a', 'b', `${held.length}`] })
  },
  buffers() {
    const held: Buffer[] = []
    for (;;) held.push(Buffer.alloc(1_000_000, 1))
  },
  // One call each: the second is small enough for the kernel to grant.
  hugeBuffer: (megabytes) => Buffer.alloc(megabytes * 1e6, 1).length,
  exit: (code) => process.exit(code),
  abort: () => process.abort(),
  segfault: () => process.kill(process.pid, 'SIGSEGV'),
  // Keeps a little of every task, as a cache without a bound does.
  creep: (kilobytes) => kept.push(Buffer.alloc(kilobytes * 1000, 1)),
  hugeResult: (megabytes) => 'x'.repeat(megabytes * 1e6),
  reveal: () => ({ env: Object.keys(process.env), nice: process.getBuiltinModule('node:os').getPriority() }),
}

function obey(text: string): unknown {
  const [deed = '', measure = ''] = text.split(' ', 2)
  const act = deeds[deed]
  return act ? act(Number(measure), text) : readStructure(text)
}

await serveTasks(
  (text) => JSON.stringify(obey(text)) ?? 'null',
  '# Sample\n\nIt has two sentences. This is one.\n\n- an item\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nKey: value\n',
)
