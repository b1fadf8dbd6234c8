/** Positions in an event stream that nobody handed out, in the header and in the address. */
import { addHeaders, withHeader } from '../wire.ts'
import { twist, withQuery } from './twist.ts'
import type { Twist } from './twist.ts'

const TENANT = '00000000-0000-4000-8000-000000000000'

const positions: readonly string[] = [
  '',
  '0',
  '-1',
  '+1',
  '00',
  '1.5',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  '999999999999999',
  '1000000000000000',
  '9'.repeat(40),
  `' or 1=1 --`,
  '%00',
  '*',
  'latest',
  '😀',
  'a'.repeat(200),
  'a'.repeat(201),
  `0.${TENANT}.0.a`,
  `999999999999999.${TENANT}.999999999999999.zz`,
  `9223372036854775808.${TENANT}.0.a`,
  `1.${TENANT}.1.`,
  `1.${TENANT.toUpperCase()}.1.a`,
  `1.${TENANT}.-1.a`,
  `-1.${TENANT}.1.a`,
  `1.${TENANT}.1.${'a'.repeat(120)}`,
  `1.${TENANT}.1.${'a'.repeat(121)}`,
]

function inAddress(position: string): Twist {
  const query = `after=${encodeURIComponent(position)}`
  return twist(`after ${position.slice(0, 40)}`, ({ wire }) => withQuery(wire, query))
}

function inHeader(position: string): Twist {
  // A header holds bytes: the emoji comes as what a client makes of it that does not care.
  const value = Buffer.from(position).toString('latin1')
  const label = `Last-Event-ID ${position.slice(0, 40)}`
  return twist(label, ({ wire }) => withHeader(wire, 'Last-Event-ID', value))
}

export const hostilePositions: readonly Twist[] = [
  ...positions.map(inAddress),
  ...positions.map(inHeader),
  twist('Last-Event-ID twice', ({ wire }) =>
    addHeaders(wire, ['Last-Event-ID', '1'], ['Last-Event-ID', '2']),
  ),
  twist('after twice', ({ wire }) => withQuery(wire, 'after=1&after=2')),
  twist('gone as soon as it opens', ({ wire }) => ({ ...wire, abandoned: true })),
]
