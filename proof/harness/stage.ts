/**
 * Everything a proof of faults needs at once: servers of its own, a fleet on them, tenants, clients with a history,
 * and someone who watches. Closed in the opposite order, whatever happened.
 */
import { seededRandom } from './statistics.ts'
import { withFleet } from './fleet.ts'
import type { Fleet, FleetOptions } from './fleet.ts'
import { createHistory } from './history.ts'
import type { History } from './history.ts'
import { createPlaces } from './places.ts'
import type { Place } from './places.ts'
import type { ProofRun } from './proof.ts'
import { createSender } from './sender.ts'
import type { Sender } from './sender.ts'
import { openServers } from './servers.ts'
import type { Servers, ServersOptions } from './servers.ts'
import { startWatch } from './watch.ts'
import type { Watch } from './watch.ts'

export interface FaultStage {
  readonly servers: Servers
  readonly fleet: Fleet
  readonly places: readonly [Place, ...Place[]]
  readonly history: History
  readonly sender: Sender
  readonly watch: Watch
  readonly random: () => number
}

export interface FaultStageOptions extends FleetOptions {
  /** None of its documents claims anything, so that each is settled in one statement and told of in three events. */
  readonly silent?: boolean
  readonly servers?: ServersOptions
}

export async function withFaultStage<Result>(
  run: ProofRun,
  options: FaultStageOptions,
  work: (stage: FaultStage) => Promise<Result>,
): Promise<Result> {
  const servers = await openServers(options.servers)
  try {
    return await withFleet({ ...run, services: servers.services }, options, (fleet) =>
      withClients({ servers, fleet, seed: run.seed, silent: options.silent ?? false }, work),
    )
  } finally {
    await servers.remove()
  }
}

interface ClientsOptions {
  readonly servers: Servers
  readonly fleet: Fleet
  readonly seed: number
  readonly silent: boolean
}

async function withClients<Result>(
  { servers, fleet, seed, silent }: ClientsOptions,
  work: (stage: FaultStage) => Promise<Result>,
): Promise<Result> {
  const random = seededRandom(seed)
  const places = await createPlaces(fleet, { tenants: 4, scopes: 2 })
  const history = createHistory(String(seed), silent)
  const sender = createSender({ history, urls: fleet.urls, random: seededRandom(seed + 1) })
  const watch = startWatch({ ask: fleet.ask, acknowledged: history.acknowledged })
  try {
    return await work({ servers, fleet, places, history, sender, watch, random })
  } finally {
    sender.close()
    await watch.stop()
  }
}
