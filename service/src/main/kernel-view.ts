/**
 * The resources of a command that watches the kernel: it listens to heartbeats and queries the database as the kernel
 * role.
 */
import type { KernelView, WithKernelView } from '../command/kernel-view.ts'
import { takeSnapshot } from '../app/health/hatchery-snapshot.ts'
import { createBroker } from '../engine/broker.ts'
import { subjectsOf } from '../engine/subjects.ts'
import { parseConfig } from '../platform/config.ts'
import { startAll } from '../platform/lifecycle.ts'
import { createLog } from '../platform/log.ts'
import { openPools } from '../store/pools.ts'
import { readEnvironment } from './environment.ts'
import { watchKernel } from './kernel-watch.ts'

export const withKernelView: WithKernelView = async (work) => {
  const config = parseConfig(await readEnvironment())
  const log = createLog('silent', 'command')
  const pools = openPools({ url: config.DATABASE_URL, size: 4, log })
  const broker = createBroker(config.NATS_URL, log)
  const watch = await watchKernel(pools, broker, subjectsOf(config.SUBJECT_PREFIX), log)
  const running = await startAll([broker, watch], log)
  const view: KernelView = {
    readHealth: () => watch.kernelHealth.readKernel(),
    takeSnapshot: () => takeSnapshot(watch.snapshot),
  }
  try {
    await work(view)
  } finally {
    await running.stop()
    await pools.close()
  }
}
