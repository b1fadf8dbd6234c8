/** Sends hostile files, a few at a time, and notes how each of them ended and how long that took. */
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import { createHttpClient } from '../../harness/http.ts'
import type { HttpClient, HttpResponse } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import type { Place } from '../../harness/places.ts'
import type { HostileFile } from './hostile-file.ts'

/** More than there are processes that read, so that some wait. */
const SENDERS = 3
const MAX_TRIES = 20
const ANSWER_MS = 90_000

export interface FileAnswer {
  readonly file: HostileFile
  readonly documentId: string
  /** `read`, the code that refused the file, or what else came. */
  readonly end: string
  readonly ms: number
  /** How often it was refused for the moment, and sent again. */
  readonly repeated: number
}

/** A file that is ready to be sent. */
export interface MadeFile {
  readonly file: HostileFile
  readonly body: Buffer
}

/**
 * Makes the files of a turn before it begins. Making one keeps a core busy for up to a second and holds up this process, through which the other
 * tenant's texts go too; that is the proof's own work and none of the service's.
 */
export async function makeFiles(files: readonly HostileFile[]): Promise<MadeFile[]> {
  const made: MadeFile[] = []
  for (const file of files) {
    made.push({ file, body: file.make() })
    await setImmediate()
  }
  return made
}

export async function sendFiles(
  url: string,
  place: Place,
  files: readonly MadeFile[],
  firstNumber: number,
): Promise<FileAnswer[]> {
  const client = createHttpClient(url)
  const answers: FileAnswer[] = []
  try {
    await inParallel(files, SENDERS, async (made, index) => {
      answers.push(await sendFile(client, place, made, `file-${firstNumber + index}`))
    })
  } finally {
    client.close()
  }
  return answers
}

async function sendFile(
  client: HttpClient,
  place: Place,
  { file, body }: MadeFile,
  documentId: string,
): Promise<FileAnswer> {
  const path = `/api/scopes/${place.scopeId}/files?name=${documentId}&document_id=${documentId}&type=${file.type}`
  const headers = { 'Content-Type': 'application/octet-stream' }
  for (let repeated = 0; ; repeated += 1) {
    const answer = await sendOnce(client, { path, bearer: place.tenantKey, headers, body })
    const isForNow = answer.status === 429 || answer.status === 503
    if (!isForNow || repeated === MAX_TRIES)
      return { file, documentId, end: endOf(answer), ms: answer.ms, repeated }
    await delay(1_000)
  }
}

type Outcome = Pick<HttpResponse, 'status' | 'text' | 'ms'>

async function sendOnce(client: HttpClient, request: Parameters<HttpClient['send']>[0]): Promise<Outcome> {
  const started = performance.now()
  try {
    return await client.send({ ...request, method: 'POST', timeoutMs: ANSWER_MS })
  } catch (error) {
    return { status: 0, text: String(error), ms: performance.now() - started }
  }
}

export function endOf({ status, text }: Pick<HttpResponse, 'status' | 'text'>): string {
  if (status === 202) return 'read'
  const code = /"code":"file_unreadable"/.test(text)
    ? /"errors":\[\{[^}]*?"code":"(\w+)"/.exec(text)?.[1]
    : undefined
  return status === 422 && code !== undefined ? code : `${status} ${text.slice(0, 200)}`
}

/**
 * Those that ended in a way that is not right for them, in words. On a machine that is busy with other work a file may meet the limit of time by
 * the clock, which ends it as safely; these are told apart.
 */
export function judgeFiles(answers: readonly FileAnswer[]) {
  const odd = answers.filter(({ file, end }) => !file.ends.some((each) => each === end))
  const inWords = ({ file, end }: FileAnswer) =>
    `${file.name}: ${end} instead of ${[...new Set(file.ends)].join(' or ')}`
  return {
    wrong: odd.filter(({ end }) => end !== 'time_exceeded').map(inWords),
    late: odd.filter(({ end }) => end === 'time_exceeded').map(inWords),
  }
}
