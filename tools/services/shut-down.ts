// The other half of a state directory's life: telling what runs, stopping it, and deleting its data.
import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { clustersOf, homesOf } from './clusters.ts'
import { withLock } from './lock.ts'
import { findNats, natsFiles, stopNats } from './nats-process.ts'
import { findPostgres, stopPostgres } from './postgres-process.ts'
import { ownStateDir, readState, writeState } from './state.ts'
import { findTestPostgres, removeTestPostgres } from './test-postgres.ts'
import { standInFor } from './unprivileged.ts'

export interface RunningPids {
  readonly postgres?: number
  readonly nats?: number
  /** The Postgres of the tests. */
  readonly tests?: number
}

/** The servers of this directory that are alive at this moment, by their processes and not by the record. */
export function runningPids(stateDir: string): RunningPids {
  if (!existsSync(stateDir)) return {}
  const real = realpathSync(stateDir)
  const postgres = clustersOf(real)
    .map((files) => findPostgres(files))
    .find((pid) => pid !== undefined)
  const nats = findNats(natsFiles(real))
  const tests = findTestPostgres(real)
  return {
    ...(postgres === undefined ? {} : { postgres }),
    ...(nats === undefined ? {} : { nats }),
    ...(tests === undefined ? {} : { tests }),
  }
}

/**
 * Returns when the servers are gone. The record stays, with its addresses and credentials, for the next start; the data of
 * the tests does not.
 */
export async function shutDown(stateDir: string): Promise<void> {
  if (!existsSync(stateDir)) return
  const real = ownStateDir(stateDir)
  await withLock(real, () => stopAll(real))
}

/** Stops the servers and deletes all they stored, the copied binaries and the record. */
export async function wipe(stateDir: string): Promise<void> {
  if (!existsSync(stateDir)) return
  const real = ownStateDir(stateDir)
  await withLock(real, async () => {
    await stopAll(real)
    for (const home of homesOf(real)) for (const name of ownNames(home)) remove(join(home, name))
    remove(standInFor(real))
  })
}

async function stopAll(stateDir: string): Promise<void> {
  const stopping = [...clustersOf(stateDir).map(stopPostgres), stopNats(natsFiles(stateDir))]
  await Promise.all([...stopping, removeTestPostgres(stateDir)])
  const state = readState(stateDir)
  if (!state) return
  const { pid: _postgres, ...postgres } = state.postgres
  const { pid: _nats, ...nats } = state.nats
  writeState(stateDir, { ...state, postgres, nats })
}

// By name, so that a state directory given by mistake loses nothing that is not ours.
function ownNames(dir: string): string[] {
  return readdirSync(dir).filter((name) => /^(postgres-(\d+|binaries-.+)|nats|state\.json)$/.test(name))
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
