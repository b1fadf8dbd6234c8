/**
 * Checks a deployment from this machine: configuration, servers, roles, schema, clocks, secrets, processes, and whether
 * work moves. It changes nothing. It continues after a failed check, so that it reports everything at once.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { failed, ok } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'
import type { JudgeResponse } from '../../domain/judge.ts'
import type { AskModel } from '../../domain/model.ts'
import type { Walk } from '../../domain/retention.ts'
import type { Broker } from '../../engine/broker.ts'
import type { MasterKeyBytes } from '../../platform/config.ts'
import type { ReleaseSchema } from '../../store/schema/self-check.ts'
import type { Pools } from '../../store/pools.ts'
import { checkBroker } from './broker.ts'
import { checkDatabase } from './database.ts'
import { checkJudge } from './judge.ts'
import { checkModel } from './model.ts'
import { checkErasures, checkProcesses, checkWork } from './processes.ts'
import { checkRetention } from './retention.ts'
import { checkSecrets } from './secrets.ts'
import type { Presence } from '../health/presence.ts'

/** The usable part of the configuration; faulty settings are missing. */
export interface DoctorDeps {
  /** The faults of the configuration, in sentences. */
  readonly faults: readonly string[]
  /** The pools of the API role and of the worker role. */
  readonly api?: Pools | undefined
  readonly worker?: Pools | undefined
  readonly broker?: Broker | undefined
  readonly workSubjects: readonly string[]
  /** Receives the heartbeats of processes from the time the broker was connected. */
  readonly presence: Presence
  readonly masterKeys?: readonly MasterKeyBytes[] | undefined
  readonly peppers?: readonly Buffer[] | undefined
  readonly fingerprintKey?: Buffer | undefined
  /** The walks that the sweeper makes with the present settings. */
  readonly walks: readonly Walk[]
  /** The migrations and functions of this release. */
  readonly release: ReleaseSchema
  /** Asks the judge a sample question. Undefined if no judge is configured. */
  readonly askJudge?: (() => Promise<JudgeResponse>) | undefined
  /** Asks the language model. Undefined if no model is configured. */
  readonly askModel?: AskModel | undefined
}

/** Long enough for two heartbeats: every live process sends one each second. */
const LISTEN_MS = 2_200

export async function runChecks(deps: DoctorDeps): Promise<Check[]> {
  const { api, worker, broker } = deps
  const ofJudge = checkJudge(deps.askJudge)
  const ofModel = checkModel(deps.askModel)
  const listened = broker?.isConnected() ? delay(LISTEN_MS) : undefined
  const [ofApi, ofWorker, ofBroker] = await Promise.all([
    api ? checkDatabase('api', api, deps.release, { whole: true }) : [],
    worker ? checkDatabase('worker', worker, deps.release, { whole: !api }) : [],
    broker ? checkBroker(broker, deps.workSubjects) : [],
  ])
  // If the login fails, no further check of this role is possible.
  const asApi = isReachable(ofApi) ? api : undefined
  const asAny = asApi ?? (isReachable(ofWorker) ? worker : undefined)
  const ofSecrets = asApi ? await checkSecrets(asApi, deps) : []
  await listened
  return [
    ...judgeConfiguration(deps.faults),
    ...ofApi,
    ...ofWorker,
    ...ofBroker,
    ...(answersIn(ofBroker) ? [checkProcesses(deps.presence)] : []),
    ...(asAny ? await checkWork(asAny, deps.presence) : []),
    ...(asAny ? await checkErasures(asAny) : []),
    ...(asAny ? await checkRetention(asAny, deps.walks) : []),
    ...ofSecrets,
    await ofJudge,
    await ofModel,
  ]
}

/** Returns false if the broker does not answer: then missing heartbeats do not mean that processes are missing. */
function answersIn(checks: readonly Check[]): boolean {
  return checks.some(({ name, verdict }) => name === 'nats' && verdict !== 'fail')
}

function isReachable(checks: readonly Check[]): boolean {
  return checks.some(({ name }) => name.startsWith('isolation'))
}

function judgeConfiguration(faults: readonly string[]): Check[] {
  if (faults.length === 0) return [ok('configuration', 'complete')]
  return faults.map((fault) => failed('configuration', fault, 'see docs/reference/configuration.md'))
}
