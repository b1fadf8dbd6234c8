// The Postgres that tests use: it never waits for a disk, and its data lives in memory where there is room. Nothing in
// it is worth keeping: a stop deletes it, and the next run of the tests creates it anew.
import { createHash } from 'node:crypto'
import { existsSync, realpathSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { clustersIn, homesOf } from './clusters.ts'
import { bringUp, postgresState, type ServicesPlan } from './ensure.ts'
import { withLock } from './lock.ts'
import { startPrivatePostgres } from './postgres.ts'
import type { ClusterSettings } from './postgres-cluster.ts'
import { findPostgres, stopPostgres } from './postgres-process.ts'
import { applyRoles } from './roles.ts'
import type { ServicesState } from './state.ts'
import { assertOwn } from './unprivileged.ts'

const MEMORY = '/dev/shm'
/** A database of the tests takes about 30 MB; a few exist at the same time, beside the log of changes. */
const ROOM_BYTES = 2 * 1024 ** 3

const SETTINGS: ClusterSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // Databases here live for seconds; nothing in them is worth cleaning up.
  autovacuum: 'off',
  // The service turns it off for its connections; for what tests look up beside it, compiling takes longer than the query.
  jit: 'off',
  max_wal_size: '512MB',
  min_wal_size: '128MB',
}

/** Returns when the servers of the clone and the Postgres of its tests answer; the latter stands in the place of the former. */
export async function bringUpForTests(plan: ServicesPlan): Promise<ServicesState> {
  const state = await bringUp(plan)
  const stateDir = realpathSync(plan.stateDir)
  return withLock(stateDir, async () => {
    const dir = testHome(stateDir)
    if (existsSync(dir)) assertOwn(dir)
    const { binDir, choice, roles, rolesFingerprint } = state.postgres
    const server = await startPrivatePostgres({ dir, choice: binDir, settings: SETTINGS })
    await applyRoles(server.url, Object.values(roles))
    return { ...state, postgres: postgresState(server, choice, roles, rolesFingerprint) }
  })
}

/** The process that serves the tests of this clone. */
export function findTestPostgres(stateDir: string): number | undefined {
  return homes(stateDir)
    .flatMap(clustersIn)
    .map((files) => findPostgres(files))
    .find((pid) => pid !== undefined)
}

export async function removeTestPostgres(stateDir: string): Promise<void> {
  const found = homes(stateDir)
  await Promise.all(found.flatMap(clustersIn).map(stopPostgres))
  for (const home of found) rmSync(home, { recursive: true, force: true })
}

function testHome(stateDir: string): string {
  const inMemory = memoryHome(stateDir)
  if (existsSync(inMemory)) return inMemory
  return hasRoom() ? inMemory : diskHome(stateDir)
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ROOM_BYTES
}

/** Both are looked at when they are removed: there may have been room at one time and not at another. */
function homes(stateDir: string): string[] {
  return [memoryHome(stateDir), diskHome(stateDir)].filter((dir) => existsSync(dir)).flatMap(homesOf)
}

/** The name comes from a hash of the path, so that two clones of the repository never meet. */
function memoryHome(stateDir: string): string {
  const hash = createHash('sha256').update(stateDir).digest('hex').slice(0, 16)
  return join(MEMORY, `concord-tests-${hash}`)
}

function diskHome(stateDir: string): string {
  return join(stateDir, 'tests')
}
