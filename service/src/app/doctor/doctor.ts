/**
 * Looks at a deployment from where it is asked: configuration, servers, roles, schema, clocks, secrets, processes, and
 * whether work moves. It changes nothing, and goes on past what is broken, so that everything is told at once.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { broken, well } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'
import type { Asked } from '../../domain/judge.ts'
import type { AskModel } from '../../domain/model.ts'
import type { Walk } from '../../domain/retention.ts'
import type { Broker } from '../../engine/broker.ts'
import type { MasterKeyBytes } from '../../platform/config.ts'
import type { ReleaseSchema } from '../../store/schema/self-check.ts'
import type { Pools } from '../../store/pools.ts'
import { examineBroker } from './broker.ts'
import { examineDatabase } from './database.ts'
import { examineJudge } from './judge.ts'
import { examineModel } from './model.ts'
import { examineErasures, examineProcesses, examineWork } from './processes.ts'
import { examineRetention } from './retention.ts'
import { examineSecrets } from './secrets.ts'
import type { Presence } from '../health/presence.ts'

/** The usable part of the configuration; faulty settings are missing. */
export interface Patient {
  /** The faults of the configuration, in sentences. */
  readonly faults: readonly string[]
  /** One for the role of the API, and one for that of dispatcher and workers. */
  readonly api?: Pools | undefined
  readonly worker?: Pools | undefined
  readonly broker?: Broker | undefined
  readonly workSubjects: readonly string[]
  /** Hears the processes from the moment at which the broker was connected. */
  readonly presence: Presence
  readonly masterKeys?: readonly MasterKeyBytes[] | undefined
  readonly peppers?: readonly Buffer[] | undefined
  readonly fingerprintKey?: Buffer | undefined
  /** The walks of the sweeper by the settings. */
  readonly walks: readonly Walk[]
  /** Those of this release. */
  readonly release: ReleaseSchema
  /** Puts one made-up question to the judge; undefined where there is none. */
  readonly askJudge?: (() => Promise<Asked>) | undefined
  /** Asks the language model; undefined where there is none. */
  readonly askModel?: AskModel | undefined
}

/** Every live process sends a heartbeat each second. */
const LISTEN_MS = 2_200

export async function examine(patient: Patient): Promise<Check[]> {
  const { api, worker, broker } = patient
  const ofJudge = examineJudge(patient.askJudge)
  const ofModel = examineModel(patient.askModel)
  const listened = broker?.isConnected() ? delay(LISTEN_MS) : undefined
  const [ofApi, ofWorker, ofBroker] = await Promise.all([
    api ? examineDatabase('api', api, patient.release, { whole: true }) : [],
    worker ? examineDatabase('worker', worker, patient.release, { whole: !api }) : [],
    broker ? examineBroker(broker, patient.workSubjects) : [],
  ])
  // Where one cannot even log in, that is all there is to say.
  const asApi = isReachable(ofApi) ? api : undefined
  const asAny = asApi ?? (isReachable(ofWorker) ? worker : undefined)
  const ofSecrets = asApi ? await examineSecrets(asApi, patient) : []
  await listened
  return [
    ...judgeConfiguration(patient.faults),
    ...ofApi,
    ...ofWorker,
    ...ofBroker,
    ...(answersIn(ofBroker) ? [examineProcesses(patient.presence)] : []),
    ...(asAny ? await examineWork(asAny, patient.presence) : []),
    ...(asAny ? await examineErasures(asAny) : []),
    ...(asAny ? await examineRetention(asAny, patient.walks) : []),
    ...ofSecrets,
    await ofJudge,
    await ofModel,
  ]
}

/** A connection to a broker that hangs is no broker: whoever is not heard there may well be there. */
function answersIn(checks: readonly Check[]): boolean {
  return checks.some(({ name, verdict }) => name === 'nats' && verdict !== 'fail')
}

function isReachable(checks: readonly Check[]): boolean {
  return checks.some(({ name }) => name.startsWith('isolation'))
}

function judgeConfiguration(faults: readonly string[]): Check[] {
  if (faults.length === 0) return [well('configuration', 'complete')]
  return faults.map((fault) => broken('configuration', fault, 'see docs/reference/configuration.md'))
}
