/** The script of the job threads that tests start. */
import { serveJobs } from '../../src/hatchery/job-messages.ts'
import { Fault } from '../../src/domain/fault.ts'

export interface TestJob {
  readonly kind: 'echo' | 'code' | 'fault' | 'loop' | 'fill'
  readonly bytes?: Uint8Array
}

async function run({ kind, bytes }: TestJob): Promise<unknown> {
  switch (kind) {
    case 'echo':
      return Buffer.isBuffer(bytes) ? bytes.toString('utf8') : 'no buffer'
    case 'code':
      throw Object.assign(new Error('timed out'), { code: '57014' })
    case 'fault':
      throw new Fault('document_not_found')
    case 'loop':
      for (;;);
    case 'fill': {
      const held: number[][] = []
      for (;;) held.push(Array.from({ length: 100_000 }, (_, index) => index + 0.5))
    }
  }
}

serveJobs(run, async () => undefined)
