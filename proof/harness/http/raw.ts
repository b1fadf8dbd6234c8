/**
 * A raw HTTP/1.1 client over sockets that are kept open: it sends exactly the bytes it is given, well-formed or
 * not, and returns the response. Every exchange ends in an answer or in a NoAnswer that says why there is none.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { hasAnswerHead, readAnswer } from './answer.ts'
import type { Answer } from './answer.ts'
import { readFrames } from './event-frames.ts'

export interface RawRequest {
  /** Sent as they are. An empty list of bytes is not a request. */
  readonly bytes: Buffer
  /** The answer to HEAD has the length of a body and no body. */
  readonly head?: boolean
  /** On a connection of its own that is closed afterwards, for bytes that may leave it in an unknown state. */
  readonly fresh?: boolean
  readonly timeoutMs?: number
  /** How long to go on reading an event stream behind its first bytes, or behind its first event. It is closed then. */
  readonly listenMs?: number
  /** An event is known to be in the stream: the reading waits for it. */
  readonly awaitsEvent?: boolean
}

export interface RawClient {
  send(request: RawRequest): Promise<Answer>
  /** Sends and goes away without waiting: what a client does that is killed. */
  abandon(bytes: Buffer): Promise<void>
  close(): void
}

export type Silence = 'refused' | 'reset' | 'timed out' | 'malformed answer'

export class NoAnswer extends Error {
  readonly silence: Silence

  constructor(silence: Silence, detail: string) {
    super(`${silence}: ${detail}`)
    this.name = 'NoAnswer'
    this.silence = silence
  }
}

const TIMEOUT_MS = 10_000
/** An event that should come and does not is left for the caller to notice. */
const EVENT_TIMEOUT_MS = 5_000

export function createRawClient(url: string): RawClient {
  const address = new URL(url)
  const idle: Socket[] = []
  const open = () => openSocket(address)

  return {
    async send(request) {
      const socket = (request.fresh ? undefined : takeLive(idle)) ?? (await open())
      try {
        const answer = await exchange(socket, request)
        if (!request.fresh && answer.reusable && !socket.destroyed) idle.push(socket)
        else socket.destroy()
        return answer
      } catch (error) {
        socket.destroy()
        throw error
      }
    },
    async abandon(bytes) {
      const socket = await open()
      socket.on('error', () => undefined)
      await new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
      socket.resetAndDestroy()
    },
    close() {
      for (const socket of idle.splice(0)) socket.destroy()
    },
  }
}

/** The most recently used one: it is the least likely to have been closed meanwhile. */
function takeLive(idle: Socket[]): Socket | undefined {
  for (;;) {
    const socket = idle.pop()
    if (!socket || !socket.destroyed) return socket
  }
}

async function openSocket({ protocol, hostname: host, port }: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secure = protocol === 'https:'
    const place = { host, port: Number(port || (secure ? 443 : 80)), noDelay: true }
    const socket = secure ? connectTls({ ...place, servername: host }) : connect(place)
    socket.once('error', (error) => reject(new NoAnswer('refused', error.message)))
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      socket.removeAllListeners('error')
      // Between exchanges nobody listens, and an idle connection may be closed by the other side.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}

async function exchange(
  socket: Socket,
  { bytes, head = false, timeoutMs = TIMEOUT_MS, listenMs = 0, awaitsEvent = false }: RawRequest,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let listening: NodeJS.Timeout | undefined
    let waiting: NodeJS.Timeout | undefined
    const finish = (settle: () => void) => {
      for (const each of [timer, listening, waiting]) clearTimeout(each)
      socket.off('data', onData).off('close', onClose).off('error', onError)
      settle()
    }
    let unsent = bytes.length
    const read = (ended: boolean): Answer | undefined => {
      const answer = readAnswer(Buffer.concat(chunks), { head, ended })
      // Bytes that come next on the connection would be taken for the rest of this request.
      return answer && { ...answer, reusable: answer.reusable && unsent === 0 }
    }
    const tryToFinish = (ended: boolean, otherwise: () => void) => {
      try {
        const answer = read(ended)
        if (!answer) return otherwise()
        if (!answer.stream || ended || listenMs === 0) return finish(() => resolve(answer))
        const leave = () => finish(() => resolve(read(false) ?? answer))
        if (awaitsEvent) waiting ??= setTimeout(leave, EVENT_TIMEOUT_MS)
        if (!awaitsEvent || readFrames(answer.body.toString('utf8')).length > 0)
          listening ??= setTimeout(leave, listenMs)
      } catch (error) {
        finish(() => reject(new NoAnswer('malformed answer', String(error))))
      }
    }
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      tryToFinish(false, () => undefined)
    }
    let lastError = 'closed without an answer'
    const onError = (error: Error) => void (lastError = error.message)
    const onClose = () => tryToFinish(true, () => finish(() => reject(new NoAnswer('reset', lastError))))
    const timer = setTimeout(
      () => finish(() => reject(new NoAnswer('timed out', `no whole answer within ${timeoutMs} ms`))),
      timeoutMs,
    )
    socket.on('data', onData).on('close', onClose).on('error', onError)
    const isAnswered = () => hasAnswerHead(Buffer.concat(chunks))
    writeSlowly(socket, bytes, isAnswered, (left) => void (unsent = left))
  })
}

const SLICE = 65_536

/**
 * A client behaves as RFC 9112 (9.5) asks: it watches for an answer while it sends, and sends no more once one comes. Who
 * goes on writing to a server that has refused and closed may lose the answer to a reset.
 */
function writeSlowly(
  socket: Socket,
  bytes: Buffer,
  isAnswered: () => boolean,
  noteLeft: (left: number) => void,
): void {
  if (isAnswered() || socket.destroyed) return
  const rest = bytes.subarray(SLICE)
  noteLeft(rest.length)
  socket.write(bytes.subarray(0, SLICE), () => {
    // A turn of the event loop each time, in which an answer that is there is read before more is sent.
    if (rest.length > 0) setImmediate(() => writeSlowly(socket, rest, isAnswered, noteLeft))
  })
}
