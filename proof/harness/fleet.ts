/** Runs a number of processes of each role on one deployment, each kept alive by a supervisor. */
import { createDeployment, waitUntil } from '@concord/tools/launch'
import type { Deployment } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import { withCompileCache } from './compile-cache.ts'
import { createMember } from './member.ts'
import type { Member, Role } from './member.ts'
import { bindDatabase } from './database.ts'
import { createPresence } from './presence.ts'
import type { ProofRun } from './proof.ts'

export interface FleetOptions {
  readonly sizes: Readonly<Record<Role, number>>
  readonly env?: Readonly<Record<string, string>>
  /** Workers write down what they take. */
  readonly notesClaims?: boolean
  /** Its processes kill themselves: a SIGKILL from nobody is counted and is no fault. */
  readonly expectsCrashes?: boolean
  /** How the processes reach the servers, where it is not directly; `ask` goes there directly all the same. */
  readonly detour?: (services: Services) => Services
}

export type Fleet = Awaited<ReturnType<typeof openFleet>>

const ROLES = ['api', 'dispatcher', 'worker'] as const

/** Many readers would only wait for each other on a small machine. */
const SMALL = { READERS: '1', DATABASE_POOL_SIZE: '8' }

type Surroundings = Pick<ProofRun, 'services' | 'name' | 'repository'>

/** Starts a fleet on the copy of the repository that the run proves, and removes it at the end. */
export async function withFleet<Result>(
  run: Surroundings,
  options: FleetOptions,
  work: (fleet: Fleet) => Promise<Result>,
): Promise<Result> {
  return withCompileCache(async (cache) => {
    const fleet = await openFleet(run, { ...options, env: { ...cache, ...options.env } })
    try {
      return await work(fleet)
    } finally {
      await fleet.remove()
    }
  })
}

async function openFleet({ services, name, repository }: Surroundings, options: FleetOptions) {
  const { sizes, env, detour = (direct) => direct } = options
  const deployment = await createDeployment({
    services: detour(services),
    name,
    env: { ...SMALL, ...env },
    ...(repository && { repository }),
  })
  const { members, add, ...ends } = createMembers(deployment, options)
  const urls = () => members.flatMap(urlOf)

  const fleet = {
    deployment,
    members: (role?: Role): readonly Member[] =>
      members.filter((member) => role === undefined || member.role === role),
    /** Addresses of the APIs that serve now. */
    urls,
    /** The first of them. */
    url: () => urls()[0] ?? '',
    /** Past every rule by which the service looks at its database. */
    ...bindDatabase(services, deployment.databaseName),
    /** Adds members of a role and waits until they serve. */
    async enlist(role: Role, count: number): Promise<void> {
      for (let added = 0; added < count; added += 1) add(role)
      await waitUntil(() => members.every((member) => member.process()), {
        what: `${count} of role ${role} joining the fleet`,
        withinMs: 60_000,
      }).catch((error: unknown) => {
        throw new Error(`The fleet is not whole. ${ends.failedStarts.at(-1) ?? ''}`, { cause: error })
      })
    },
    ...ends,
    async remove(): Promise<void> {
      await Promise.all(members.map((member) => member.retire()))
      await deployment.remove()
    },
  }
  try {
    await deployment.migrate()
    await Promise.all(ROLES.map((role) => fleet.enlist(role, sizes[role])))
    return fleet
  } catch (error) {
    await fleet.remove()
    throw error
  }
}

/** The members of a fleet, and how their processes started and ended. */
function createMembers(deployment: Deployment, { notesClaims, expectsCrashes }: FleetOptions) {
  const members: Member[] = []
  const unaskedExits: string[] = []
  const failedStarts: string[] = []
  const presence = createPresence()
  let crashes = 0

  function add(role: Role): void {
    const label = `${role} ${members.filter((each) => each.role === role).length + 1}`
    members.push(
      createMember({
        role,
        name: label,
        start: () =>
          role === 'api'
            ? deployment.startApi({ LOG_LEVEL: 'warn' })
            : deployment.startKernel(role, notesClaims ? { LOG_LEVEL: 'debug' } : {}),
        onChange: (present) => presence.note(label, present),
        onUnasked({ signal }, words) {
          if (signal === 'SIGKILL' && expectsCrashes) crashes += 1
          else unaskedExits.push(words)
        },
        onFailedStart: (error) => void failedStarts.push(String(error)),
      }),
    )
  }

  return {
    members: members as readonly Member[],
    add,
    /** Ends of processes that nobody killed, in words. */
    unaskedExits: unaskedExits as readonly string[],
    /** Processes that killed themselves, where that was expected. */
    crashes: () => crashes,
    /** Starts that ended early, mostly because a server was away, in words. They were repeated. */
    failedStarts: failedStarts as readonly string[],
    /** When each member served; whoever kills a server notes that here too. */
    presence,
  }
}

function urlOf(member: Member): string[] {
  const child = member.process()
  return child && 'url' in child ? [child.url] : []
}
