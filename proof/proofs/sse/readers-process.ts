/** The process of the readers: opens streams on sockets as bare as they can be, and notes when each event arrives. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { requestBytes } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { happens } from '../../harness/loop.ts'
import { percentile } from '../../harness/statistics.ts'
import { createEventTimes } from './event-times.ts'
import type { Arrivals, Opened, ReaderOrder, StreamQuestion, StreamPlace } from './readers.ts'

interface Stream {
  readonly socket: Socket
  /** Since the last time it was asked. */
  events: number
}

const AT_ONCE = 50
const TIMEOUT_MS = 30_000
const LOOK_MS = 20

const streams: Stream[] = []
let lateness: number[] = []

async function open({ url, places, streams: wanted }: ReaderOrder): Promise<Opened> {
  const started = performance.now()
  const refusals: string[] = []
  const turns = Array.from({ length: wanted }, (_, at) => places[at % places.length])
  await inParallel(turns, AT_ONCE, async (place) => {
    if (place) await openOne(url, place).catch((error: unknown) => void refusals.push(String(error)))
  })
  return {
    established: streams.filter(isOpen).length,
    refusals,
    seconds: (performance.now() - started) / 1000,
  }
}

/** Resolves when the head of the answer has come. */
async function openOne(url: string, { scopeId, tenantKey }: StreamPlace): Promise<void> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ host: hostname, port: Number(port) })
  const stream: Stream = { socket, events: 0 }
  const read = createEventTimes((time) => {
    stream.events += 1
    lateness.push(Date.now() - time)
  })
  const timer = setTimeout(() => socket.destroy(new Error('no answer in time')), TIMEOUT_MS)
  socket.once('error', reject).once('close', () => reject(new Error('closed before it was answered')))
  socket.once('data', (head) => {
    const text = head.toString('latin1')
    const [line = ''] = text.split('\r\n', 1)
    if (line !== 'HTTP/1.1 200 OK') return void socket.destroy(new Error(line))
    streams.push(stream)
    read(text)
    socket.on('data', (piece) => read(piece.toString('latin1'))).on('error', () => undefined)
    resolve()
  })
  const headers = { accept: 'text/event-stream' }
  socket.write(requestBytes(url, { path: `/api/scopes/${scopeId}/events`, bearer: tenantKey, headers }))
  return promise.finally(() => clearTimeout(timer))
}

async function arrivals(each: number, withinMs: number): Promise<Arrivals> {
  const isRight = ({ events }: Stream) => events === each
  await happens(() => streams.every(isRight), { withinMs, everyMs: LOOK_MS })
  const told = {
    events: lateness.length,
    wrong: streams.filter((stream) => !isRight(stream)).length,
    p50: percentile(lateness, 0.5),
    p99: percentile(lateness, 0.99),
    longest: lateness.reduce((longest, ms) => Math.max(longest, ms), 0),
    lost: streams.filter((stream) => !isOpen(stream)).length,
  }
  lateness = []
  for (const stream of streams) stream.events = 0
  return told
}

function isOpen({ socket }: Stream): boolean {
  return !socket.destroyed
}

async function answer(question: StreamQuestion): Promise<Opened | Arrivals> {
  return question.kind === 'open' ? open(question) : arrivals(question.each, question.withinMs)
}

process.on('message', (question: StreamQuestion) => {
  void answer(question).then((told) => process.send?.(told))
})
// The process that started it is gone, and so is its purpose.
process.on('disconnect', () => process.exit(0))
