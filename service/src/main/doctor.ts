/** Opens what `concord doctor` checks, as far as the configuration allows. */
import { runChecks } from '../app/doctor/doctor.ts'
import { SAMPLE_QUESTION } from '../app/doctor/judge.ts'
import { createPresence } from '../app/health/presence.ts'
import type { Check } from '../domain/checkup.ts'
import { createBroker } from '../engine/broker.ts'
import { subjectsOf } from '../engine/subjects.ts'
import { ConfigFault, inspectConfig } from '../platform/config.ts'
import type { InspectedConfig } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { readFunctions } from '../store/schema/functions.ts'
import { readMigrations } from '../store/schema/migrations.ts'
import { openPools } from '../store/pools.ts'
import type { Pools } from '../store/pools.ts'
import { readEnvironment } from './environment.ts'
import { openEndpoint } from './judge.ts'
import { openModelEndpoint } from './model.ts'

export async function checkDeployment(): Promise<readonly Check[]> {
  const { settings, faults } = await inspectEnvironment()
  const log = createLog('silent', 'command')
  const open = (url: string | undefined): Pools | undefined =>
    url === undefined ? undefined : openPools({ url, size: 2, log })
  const api = open(settings.DATABASE_URL)
  const worker = open(settings.WORKER_DATABASE_URL)
  const broker = settings.NATS_URL === undefined ? undefined : createBroker(settings.NATS_URL, log)
  const subjects = subjectsOf(settings.SUBJECT_PREFIX ?? 'concord')
  const presence = createPresence(() => performance.now())
  const endpoint = await openEndpoint(settings)
  const model = await openModelEndpoint(settings)
  broker?.listen(subjects.heartbeat, presence.record)
  try {
    await broker?.start()
    return await runChecks({
      faults,
      api,
      worker,
      broker,
      workSubjects: [subjects.work, subjects.priority],
      presence,
      masterKeys: settings.MASTER_KEY,
      peppers: settings.KEY_PEPPER,
      fingerprintKey: settings.FINGERPRINT_KEY ?? settings.KEY_PEPPER?.[0],
      walks: settings.RETENTION_VERSIONS_SECONDS === undefined ? ['scopes'] : ['scopes', 'documents'],
      release: { migrations: await readMigrations(), functions: await readFunctions() },
      askJudge: endpoint && (() => endpoint.ask(SAMPLE_QUESTION)),
      askModel: model?.endpoint.ask,
    })
  } finally {
    model?.endpoint.close()
    await Promise.all([broker?.stop(), api?.close(), worker?.close()])
  }
}

/** A secret file that cannot be read is a fault of the configuration. Then the other settings are unknown. */
async function inspectEnvironment(): Promise<InspectedConfig> {
  try {
    return inspectConfig(await readEnvironment())
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error
    return { settings: {}, faults: error.faults }
  }
}
