/**
 * The queues that others would use for the same: one call for each document with the same text in it, from one Node
 * process. Each has a database of its own on the same Postgres, with the same settings, or a Redis that syncs as well.
 */
import { createRequire } from 'node:module'
import { createDatabase, dropDatabase } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import type { Load } from './ingest-stage.ts'
import { startRedis } from './redis.ts'
import { runClient } from './run-client.ts'
import type { LoadResult } from './summary.ts'

export interface Peer {
  readonly name: string
  run(load: Load): Promise<LoadResult>
  /** Gives back what it held. */
  remove(): Promise<void>
}

/** More than their usual 10, which was slower for both. */
const CONNECTIONS = 32

export async function setUpPeers(services: Services, print: (line: string) => void): Promise<Peer[]> {
  const peers = [
    await setUpPostgresPeer(services, 'graphile-worker', 'addJob'),
    await setUpPostgresPeer(services, 'pg-boss', 'send'),
  ]
  try {
    return [...peers, await setUpBullMq(print)]
  } catch (error) {
    print(`BullMQ: left out, ${error instanceof Error ? error.message : String(error)}`)
    return peers
  }
}

async function setUpPostgresPeer(services: Services, kind: string, verb: string): Promise<Peer> {
  const database = `bench_${kind.replace('-', '_')}_${process.pid}`
  await createDatabase(services, { name: database })
  const target = {
    databaseUrl: services.postgres.url('superuser', database),
    connections: String(CONNECTIONS),
  }
  return {
    name: `${kind} ${verb}`,
    run: (load) => runClient(kind, { ...load, watch: { Postgres: services.postgres.pid }, target }),
    remove: () => dropDatabase(services, database),
  }
}

async function setUpBullMq(print: (line: string) => void): Promise<Peer> {
  requireRedisDriver()
  const redis = await startRedis(print).catch((error: unknown) => {
    throw new Error('no redis-server', { cause: error })
  })
  const target = { redisPort: String(redis.port) }
  return {
    name: 'BullMQ add',
    run: (load) => runClient('bullmq', { ...load, watch: { Redis: redis.pid }, target }),
    remove: () => redis.remove(),
  }
}

/** BullMQ brings no driver of its own. */
function requireRedisDriver(): void {
  try {
    createRequire(createRequire(import.meta.url).resolve('bullmq')).resolve('ioredis')
  } catch (error) {
    throw new Error('the package ioredis is not installed', { cause: error })
  }
}
