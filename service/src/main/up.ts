/** Everything in one process, for a small deployment: api, dispatcher and worker, each as it would run alone. */
import type { WholeConfig } from '../platform/config.ts'
import type { Running } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { startApi } from './api.ts'
import { startDispatcher } from './dispatcher.ts'
import { startWorker } from './worker.ts'

export async function startUp(config: WholeConfig, log: Log): Promise<Running> {
  const started: Running[] = []
  const stop = async () => {
    // The parts that accept stop first, the parts that work stop last.
    for (const running of started) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await running.stop()
    }
  }
  try {
    started.push(await startApi(config, log))
    started.push(await startDispatcher(config, log))
    started.push(await startWorker(config, log))
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
