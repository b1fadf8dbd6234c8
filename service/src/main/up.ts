/** Runs api, dispatcher and worker in one process, for a small deployment. Each works as it would alone. */
import type { WholeConfig } from '../platform/config.ts'
import type { RunningParts } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { startApi } from './api.ts'
import { startDispatcher } from './dispatcher.ts'
import { startWorker } from './worker.ts'

export async function startUp(config: WholeConfig, log: Log): Promise<RunningParts> {
  const started: RunningParts[] = []
  const stop = async () => {
    // The API stops first, and the worker last.
    for (const running of started) {
      // oxlint-disable-next-line no-await-in-loop -- one part at a time
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
