/** Where something could have been written down outside of the tables: the files of both servers, and all logs. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { asSuperuser } from '@concord/tools/launch'
import type { Site } from './site.ts'
import type { Stage } from './stage.ts'

/** In how many files, or logs, something was found. */
export interface Traces {
  readonly searched: string
  readonly content: number
  readonly ids: number
}

/** What only stands in memory so far is written first. The write-ahead log lies in the same directory. */
export async function searchPostgres({ servers }: Stage, site: Site): Promise<Traces> {
  await asSuperuser(servers.services, (client) => client.query('checkpoint'))
  return searchFolder(servers.postgres.dataDir, site)
}

export async function searchBroker({ servers }: Stage, site: Site): Promise<Traces> {
  return searchFolder(servers.nats.storeDir, site)
}

/** Until ids stand there: that is the proof that the right place is searched. */
export async function searchBusyBroker(stage: Stage, site: Site, withinMs: number): Promise<Traces> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const traces = await searchBroker(stage, site)
    if (traces.ids > 0 || performance.now() > deadline) return traces
    await delay(200)
  }
}

async function searchFolder(folder: string, { contentMark, idMark }: Site): Promise<Traces> {
  const { files, bytes, hits } = await searchFiles(folder, [Buffer.from(contentMark), Buffer.from(idMark)])
  const [content = 0, ids = 0] = hits
  return { searched: `${files} files (${Math.ceil(bytes / 1_048_576)} MiB)`, content, ids }
}

/** In how many files of the live Postgres these very bytes stand. */
export async function countFilesWith({ servers }: Stage, wanted: Buffer): Promise<number> {
  const { hits } = await searchFiles(servers.postgres.dataDir, [wanted])
  return hits[0] ?? 0
}

export interface FileSearch {
  readonly files: number
  readonly bytes: number
  /** In how many files each of the wanted stands, in their order. */
  readonly hits: readonly number[]
}

/** Whole files at a time: the servers are young, and their thousands of files are small. */
export async function searchFiles(folder: string, wanted: readonly Buffer[]): Promise<FileSearch> {
  const hits = wanted.map(() => 0)
  let files = 0
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    // A server at work comes and goes with its files.
    const file = await readFile(join(entry.parentPath, entry.name)).catch(ifGone)
    if (!file) continue
    files += 1
    bytes += file.length
    for (const [at, each] of wanted.entries()) hits[at] = (hits[at] ?? 0) + Number(file.includes(each))
  }
  return { files, bytes, hits }
}

function ifGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

export interface LogTraces extends Traces {
  /** In how many a text was found that is known to stand there. */
  readonly controls: number
  readonly logs: number
}

export async function searchLogs({ servers, deployment }: Stage, site: Site): Promise<LogTraces> {
  const { postgres, nats } = servers
  const logs = [
    { text: deployment.output(), control: 'worker ready' },
    { text: await readFile(postgres.logFile, 'utf8'), control: 'ready to accept connections' },
    { text: await readFile(nats.logFile, 'utf8'), control: 'Server is ready' },
  ]
  const countWith = (wanted: string) => logs.filter(({ text }) => text.includes(wanted)).length
  return {
    searched: logs.map(({ text }) => `${Math.ceil(text.length / 1024)} KiB`).join(', '),
    content: countWith(site.contentMark),
    ids: countWith(site.idMark),
    controls: logs.filter(({ text, control }) => text.includes(control)).length,
    logs: logs.length,
  }
}

/** Messages that the broker holds in all its streams once it holds none, or when the patience is over. */
export async function untilBrokerEmpty({ servers }: Stage, withinMs: number): Promise<number> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await fetch(`${servers.nats.monitorUrl}/jsz`)
    if (!answer.ok) throw new Error(`NATS answered ${answer.status} when asked what it holds`)
    const { messages } = (await answer.json()) as { messages: number }
    if (messages === 0 || performance.now() > deadline) return messages
    await delay(200)
  }
}
