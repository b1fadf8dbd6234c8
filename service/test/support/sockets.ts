/** HTTP as bytes on a socket, for what no client library would send. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { once } from 'node:events'

export interface SocketAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface RawConnection {
  readonly socket: Socket
  send(text: string): void
  /** The first answers that have arrived whole, once there are this many. */
  answers(count: number): Promise<readonly SocketAnswer[]>
  /** All answers, once the other side has closed. */
  untilClosed(): Promise<readonly SocketAnswer[]>
}

export async function openConnection(address: string): Promise<RawConnection> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => void (received += chunk))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const happens = (event: string) => new Promise((resolve) => socket.once(event, resolve))
  const closed = happens('close')
  return {
    socket,
    send: (text) => void socket.write(text),
    async answers(count) {
      while (parseAnswers(received).length < count) {
        if (socket.closed) throw new Error(`The connection was closed after ${JSON.stringify(received)}`)
        await Promise.race([happens('data'), closed])
      }
      return parseAnswers(received)
    },
    async untilClosed() {
      await closed
      return parseAnswers(received)
    },
  }
}

/** Sends the text and waits for the other side to close. */
export async function exchange(address: string, text: string): Promise<readonly SocketAnswer[]> {
  const connection = await openConnection(address)
  connection.send(text)
  return connection.untilClosed()
}

/** Answers with a Content-Length, which all of ours have. */
function parseAnswers(received: string): SocketAnswer[] {
  const answers: SocketAnswer[] = []
  let rest = received
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return answers
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((each) => [
        each.slice(0, each.indexOf(':')).toLowerCase(),
        each.slice(each.indexOf(':') + 1).trim(),
      ]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    if (body.length < length) return answers
    answers.push({
      status: Number(line.split(' ')[1]),
      headers,
      body: Buffer.from(body, 'latin1').toString(),
    })
    rest = rest.slice(end + 4 + length)
  }
}
