/** Requests that no HTTP library would send: written byte by byte, answered on the same socket until it closes. */
import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Reply } from './exchange.ts'

const TIMEOUT_MS = 5_000

/** All answers the bytes got. The last request in them should say `Connection: close`. */
export async function exchangeBytes(url: string, bytes: string | Buffer): Promise<Reply[]> {
  const { protocol, hostname, port } = new URL(url)
  const secure = protocol === 'https:'
  const place = { host: hostname, port: Number(port || (secure ? 443 : 80)) }
  const socket = secure ? connectTls({ ...place, servername: hostname }) : connectPlain(place)
  const chunks: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('The service kept the connection open.')))
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      // It would never end; its head is what was asked for.
      if (/\r\ncontent-type: text\/event-stream/i.test(chunk.toString('latin1'))) socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve())
    socket.write(bytes)
  })
  return parseReplies(Buffer.concat(chunks))
}

/** A header block for `exchangeBytes`; a name may occur more than once. */
export function head(method: string, path: string, headers: readonly (readonly [string, string])[]): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

function parseReplies(bytes: Buffer): Reply[] {
  const replies: Reply[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`This is no answer: ${rest.toString('latin1').slice(0, 200)}`)
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(lines.map(parseHeader))
    // Chunks are not taken apart: what is asserted on such an answer is its head.
    const length = headers['transfer-encoding'] ? rest.length : Number(headers['content-length'] ?? 0)
    const body = rest.subarray(end + 4, end + 4 + length)
    replies.push({ status: Number(statusLine.split(' ')[1]), headers, text: body.toString('utf8') })
    rest = rest.subarray(end + 4 + length)
  }
  return replies
}

function parseHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
