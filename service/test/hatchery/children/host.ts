/** A parent to be killed: starts a sandbox with the obedient child, sets both pools looping, tells the pids, waits. */
import { createSandbox } from '../../../src/hatchery/sandbox.ts'
import { silentLog } from '../../support/log.ts'

const sandbox = createSandbox<{ pid: number }>({
  entry: new URL('./obedient.ts', import.meta.url),
  size: 1,
  slowSize: 1,
  othersAfterMs: 0,
  limits: { timeMs: 20 * 600_000, sliceMs: 100 * 600_000, memoryMb: 256 },
  maxWaiting: 100,
  quietMs: 600_000,
  decode: (body) => JSON.parse(String(body)) as { pid: number },
  log: silentLog,
})
await sandbox.start()
const pids: number[] = []
for (const failedBefore of [false, true]) {
  const outcome = await sandbox.run({ id: 'who', text: 'measure', failedBefore })
  if (outcome.kind === 'done') pids.push(outcome.result.pid)
}
for (const failedBefore of [false, true]) void sandbox.run({ id: 'loop', text: 'loop', failedBefore })
process.stdout.write(`${JSON.stringify(pids)}\n`)
