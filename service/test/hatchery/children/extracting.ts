/** A child that does with a file what the file says. */
import { PLAIN_LAYOUT } from '../../../src/domain/file-layout.ts'
import { serveExtraction } from '../../../src/hatchery/extractor/serving.ts'

const hoard: Buffer[] = []

await serveExtraction(async ({ bytes }) => {
  const [deed = '', value = ''] = bytes.toString().split(' ')
  switch (deed) {
    case 'loop':
      for (;;);
    case 'sleep':
      await new Promise((resolve) => setTimeout(resolve, Number(value)))
      return { text: 'slept', layout: PLAIN_LAYOUT }
    case 'exit':
      return process.exit(Number(value))
    case 'buffers':
      for (;;) hoard.push(Buffer.alloc(16 * 1_048_576, 1))
    case 'heap': {
      const all: number[][] = []
      for (;;) all.push(Array.from<number>({ length: 2_000_000 }).fill(0.5))
    }
    case 'throw':
      throw new Error('a secret of the file')
    case 'flood':
      return { text: 'x'.repeat(20 * 1_048_576), layout: PLAIN_LAYOUT }
    default:
      return { text: bytes.toString(), layout: PLAIN_LAYOUT }
  }
})
