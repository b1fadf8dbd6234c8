/** One scope that is filled more and more, and what a further document costs there. */
import { requestJson } from '@concord/proof/http'
import { asSuperuser } from '@concord/tools/launch'
import { startKernel, stopKernel, untilIdle, workOff } from '../backlog.ts'
import type { IngestStage } from '../ingest-stage.ts'
import type { LoadResult } from '../summary.ts'
import { documentOf } from './documents.ts'

export const SCOPE = 'measured'
const BATCH = 100

/** Numbers of documents that the scope has got; each number gives another text. */
export interface FilledScope {
  sent: number
  readonly textOf?: (number: number) => string
}

export async function fillTo(stage: IngestStage, filling: FilledScope, documents: number): Promise<void> {
  const kernel = await startKernel(stage)
  try {
    await send(stage, filling, documents - filling.sent)
    await untilIdle(stage)
  } finally {
    await stopKernel(kernel)
  }
  await asSuperuser(stage.services, (client) => client.query('analyze'), stage.deployment.databaseName)
}

/** Further documents, sent before anybody reads, then worked off. */
export async function workOffMore(
  stage: IngestStage,
  filling: FilledScope,
  documents: number,
): Promise<LoadResult> {
  await send(stage, filling, documents)
  return workOff(stage)
}

async function send(stage: IngestStage, filling: FilledScope, documents: number): Promise<void> {
  const last = filling.sent + documents
  while (filling.sent < last) {
    const count = Math.min(BATCH, last - filling.sent)
    const numbers = Array.from({ length: count }, (_, place) => filling.sent + place)
    await sendBatch(stage, numbers, filling.textOf ?? documentOf)
    filling.sent += count
  }
}

async function sendBatch(
  { api, key }: IngestStage,
  numbers: readonly number[],
  textOf: (number: number) => string,
): Promise<void> {
  const documents = numbers.map((number) => {
    return {
      scope_id: SCOPE,
      document_id: `d${number}`,
      name: `Document ${number}`,
      text: textOf(number),
    }
  })
  await requestJson(api.url, { path: '/api/ingest/batch', bearer: key, body: { documents } })
}
