/** A request as it goes over the wire: every part of it can be made wrong on its own. */

import type { Header } from '../../harness/http.ts'

export interface Wire {
  readonly method: string
  /** The target as it stands in the request line, one character a byte. */
  readonly target: string
  readonly version: string
  readonly headers: readonly Header[]
  readonly body: Buffer | undefined
  readonly framing: 'length' | 'chunked' | 'none'
  /** Says that only an answer below 500 other than success is right: the document does not allow this request. */
  readonly mustBeRefused: boolean
  /** May leave the connection in an unknown state. */
  readonly fresh: boolean
  /** The client goes away without waiting for an answer. */
  readonly abandoned: boolean
  /** Bytes at the end that are never sent. */
  readonly withheld: number
  /** For what is slow on purpose. */
  readonly timeoutMs?: number
}

export const plainWire: Wire = {
  method: 'GET',
  target: '/',
  version: 'HTTP/1.1',
  headers: [],
  body: undefined,
  framing: 'length',
  mustBeRefused: false,
  fresh: false,
  abandoned: false,
  withheld: 0,
}

export function toBytes(wire: Wire): Buffer {
  const bytes = wholeBytes(wire)
  return bytes.subarray(0, bytes.length - wire.withheld)
}

function wholeBytes({ method, target, version, headers, body, framing }: Wire): Buffer {
  const framed = [...headers, ...framingHeaders(body, framing)]
  const head = [
    `${method} ${target} ${version}`,
    ...framed.map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ]
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), toPayload(body, framing)])
}

function framingHeaders(body: Buffer | undefined, framing: Wire['framing']): readonly Header[] {
  if (body === undefined || framing === 'none') return []
  return framing === 'chunked'
    ? [['Transfer-Encoding', 'chunked']]
    : [['Content-Length', String(body.length)]]
}

/** Odd sizes on purpose: a character may fall on both sides of a boundary. */
const CHUNK = 1_021

function toPayload(body: Buffer | undefined, framing: Wire['framing']): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  if (framing !== 'chunked') return body
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; at += CHUNK) {
    const part = body.subarray(at, at + CHUNK)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

export function withHeader(wire: Wire, name: string, value: string): Wire {
  return addHeaders(withoutHeader(wire, name), [name, value])
}

export function addHeaders(wire: Wire, ...headers: readonly Header[]): Wire {
  return { ...wire, headers: [...wire.headers, ...headers] }
}

export function withoutHeader(wire: Wire, name: string): Wire {
  return { ...wire, headers: wire.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase()) }
}

/** A JSON body with its content type, unless another one is there. */
export function withJson(wire: Wire, body: Buffer): Wire {
  return { ...withHeader(wire, 'Content-Type', 'application/json'), body }
}

const SHOWN = 400

/** Close to what one would type: credentials left out, long parts cut. */
export function describeWire({ method, target, headers, body, framing }: Wire): string {
  const shown = headers
    .filter(([name]) => name !== 'Host')
    .map(
      ([name, value]) =>
        `-H ${quote(`${name}: ${/^(?:authorization|x-tenant-api-key)$/i.test(name) ? '…' : value}`)}`,
    )
  const data =
    body === undefined ? [] : [`--data-binary ${quote(body.toString('latin1'))} # ${body.length} bytes`]
  const how = framing === 'length' ? [] : [`# framing: ${framing}`]
  return ['curl', '-X', quote(method), ...shown, quote(target), ...data, ...how].join(' ')
}

function quote(text: string): string {
  const cut = text.length > SHOWN ? `${text.slice(0, SHOWN)}…(${text.length})` : text
  return JSON.stringify(cut)
}
