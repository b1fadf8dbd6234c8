/** A deployment for one measurement: one API, one dispatcher, one worker, a database of its own. */
import { createDeployment } from '@concord/tools/launch'
import { ensureServices } from '@concord/tools/services'
import type { Reader } from '../report.ts'
import { createClient } from './client.ts'
import { judgeSettings, permitJudge } from './judge.ts'
import { createServedReader } from './reader.ts'

export interface Launched {
  readonly reader: Reader
  readonly remove: () => Promise<void>
}

export async function launch(): Promise<Launched> {
  const deployment = await createDeployment({
    services: await ensureServices(),
    name: `quality_${process.pid}`,
  })
  try {
    await deployment.migrate()
    const { url } = await deployment.startApi()
    const { api_key: adminKey } = await deployment.concord<{ readonly api_key: string }>(
      'keys',
      'create',
      '--tier',
      'admin',
    )
    await deployment.startKernel('dispatcher')
    await deployment.startKernel('worker', judgeSettings())
    const client = await createClient(url, adminKey)
    const reader = createServedReader(client, await permitJudge(deployment, client))
    return { reader, remove: () => deployment.remove() }
  } catch (error) {
    await deployment.remove()
    throw error
  }
}
