/** Where something could have been written down outside of the tables: the files of both servers, and all logs. */
import { readFile } from 'node:fs/promises'
import { searchFiles, searchUntilFound } from '../../harness/file-search.ts'
import type { FileSearch } from '../../harness/file-search.ts'
import { requestJson } from '../../harness/http.ts'
import { poll } from '../../harness/loop.ts'
import type { Site } from './site.ts'
import type { ErasureStage } from './stage.ts'

/** In how many files, or logs, something was found. */
export interface Traces {
  readonly searched: string
  readonly content: number
  readonly ids: number
}

/** Content that only stands in memory so far is written first. The write-ahead log lies in the same directory. */
export async function searchPostgres({ servers, ask }: ErasureStage, site: Site): Promise<Traces> {
  await ask('checkpoint')
  return searchFolder(servers.postgres.dataDir, site)
}

export async function searchBroker({ servers }: ErasureStage, site: Site): Promise<Traces> {
  return searchFolder(servers.nats.storeDir, site)
}

/** Until ids stand there: that is the proof that the right place is searched. */
export async function searchBusyBroker(
  { servers }: ErasureStage,
  site: Site,
  withinMs: number,
): Promise<Traces> {
  return toTraces(await searchUntilFound(servers.nats.storeDir, EVER, needlesOf(site), withinMs))
}

/** The servers are as young as the run: nothing in them is too old to count. */
const EVER = 0

async function searchFolder(folder: string, site: Site): Promise<Traces> {
  return toTraces(await searchFiles(folder, EVER, needlesOf(site)))
}

function needlesOf({ contentMark, idMark }: Site): string[] {
  return [contentMark, idMark]
}

function toTraces({ files, bytes, hits: [content = 0, ids = 0] }: FileSearch): Traces {
  return { searched: `${files} files (${Math.ceil(bytes / 1_048_576)} MiB)`, content, ids }
}

/** In how many files of the live Postgres these very bytes stand. */
export async function countFilesWith({ servers }: ErasureStage, wanted: Buffer): Promise<number> {
  const { hits } = await searchFiles(servers.postgres.dataDir, EVER, [wanted])
  return hits[0] ?? 0
}

export async function searchLogs({ servers, deployment }: ErasureStage, site: Site) {
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
    /** In how many a text was found that is known to stand there. */
    controls: logs.filter(({ text, control }) => text.includes(control)).length,
    logs: logs.length,
  }
}

/** Returns the messages that the broker holds in all its streams once it holds none, or when the time is over. */
export async function untilBrokerEmpty({ servers }: ErasureStage, withinMs: number): Promise<number> {
  const readHeld = async () =>
    (await requestJson<{ messages: number }>(servers.nats.monitorUrl, { path: '/jsz' })).messages
  return poll(readHeld, { until: (messages) => messages === 0, withinMs, everyMs: 200 })
}
