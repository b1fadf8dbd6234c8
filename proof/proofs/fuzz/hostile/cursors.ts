/** Cursors that the service never made: garbage, and positions that look like its own down to the encoding. */
import { twist, withQuery } from './twist.ts'
import type { Twist, TwistInput } from './twist.ts'

const positions: readonly unknown[] = [
  [],
  [''],
  ['a'],
  ['A'],
  [null],
  [1],
  [[]],
  {},
  'a',
  null,
  ['a', 'b', 'c'],
  [`' or 1=1 --`],
  [`2026-01-01 00:00:00+00'; select pg_sleep(10) --`, '0'],
  ['2026-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000'],
  ['2026-01-01 00:00:00+00', '4kT9xQ2mZb'],
  ['9999-99-99 99:99:99+99', '00000000-0000-0000-0000-000000000000'],
  ['9999-99-99 99:99:99+99', '4kT9xQ2mZb'],
  ['0000-00-00 00:00:00+00', '4kT9xQ2mZb'],
  ['2026-02-30 24:60:60.999999-99:99', '4kT9xQ2mZb'],
  ['999999-12-31 23:59:59.999999+15:59', '4kT9xQ2mZb'],
  ['999999-12-31 23:59:59.999999+15:59', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['infinity', '4kT9xQ2mZb'],
  ['a\0b'],
  ['\ud800'],
  ['a'.repeat(120)],
  ['a'.repeat(121)],
]

const raw: readonly string[] = [
  '',
  '-',
  '_',
  'AAAA',
  '====',
  'null',
  'W10',
  '%00',
  '../..',
  '😀',
  'W1tbW1tb',
  'eyJhIjox',
]

function encode(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** A real cursor in which every digit was drawn anew: right in form, and of a day that may not exist. */
function forge(cursor: string | undefined, draw: number): string {
  const text = Buffer.from(
    cursor ?? encode(['2026-01-01 00:00:00.5+00', '4kT9xQ2mZb']),
    'base64url',
  ).toString('utf8')
  let state = (draw % 2_147_483_646) + 1
  const digit = () => {
    state = (state * 48_271) % 2_147_483_647
    return String(state % 10)
  }
  return Buffer.from(text.replaceAll(/\d/g, digit)).toString('base64url')
}

function withCursor(label: string, cursorOf: (input: TwistInput) => string): Twist {
  return twist(label, (input) => withQuery(input.wire, `cursor=${encodeURIComponent(cursorOf(input))}`))
}

const forged = withCursor('forged cursor', ({ cursor, draw }) => forge(cursor, draw))

export const hostileCursors: readonly Twist[] = [
  ...positions.map((position) =>
    withCursor(`cursor of ${JSON.stringify(position).slice(0, 60)}`, () => encode(position)),
  ),
  ...raw.map((text) => withCursor(`cursor ${text}`, () => text)),
  // Drawn as often as a few of the fixed ones together, because each draw is another.
  ...Array.from({ length: 12 }, () => forged),
]
