/**
 * Credentials that were refused, counted by where they come from and by the key they claim to be. Whoever fails too often is
 * told to wait instead of why. Counting comes after the check and never stands in front of it: a stranger who fails in
 * another's name, or from the same address, cannot keep a right key out. The check itself is the same little work for
 * every credential, and the tables that count have a fixed size, whatever is invented.
 */
import { problems } from '@concord/contract'
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../domain/fault.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import { parseKey } from '../../platform/api-key.ts'
import { TokenBucket } from '../../platform/token-bucket.ts'
import type { Rate } from '../../platform/token-bucket.ts'

export interface FailedAttempts {
  /** Counts a request that was refused with this error. */
  after(error: unknown, attempt: FailedAttempt): unknown
}

export interface FailedAttempt {
  /** The address of the other side of the connection. */
  readonly address: string
  readonly headers: IncomingHttpHeaders
}

export function createFailedAttempts(rate: Rate, monotonicMs: () => number): FailedAttempts {
  const bySource = new Buckets(rate)
  const byKey = new Buckets(rate)
  return {
    after(error, { address, headers }) {
      if (!isFailure(error)) return error
      const now = monotonicMs()
      const counted = [
        bySource.of(sourceOf(address), now),
        ...keyIdsOf(headers).map((keyId) => byKey.of(keyId, now)),
      ]
      const used = counted.filter((bucket) => !bucket.take(1, now))
      if (used.length === 0) return error
      const seconds = Math.max(...used.map((bucket) => bucket.secondsToNext()))
      return new Fault('rate_limited', { headers: { 'retry-after': String(seconds) }, cause: error })
    },
  }
}

/** A request without any credential has tried nothing. */
function isFailure(error: unknown): boolean {
  return error instanceof Fault && problems[error.code].status === 401 && error.code !== 'credential_missing'
}

/** Finds the ids of every key in the request: which of two was refused makes no difference to whoever tries them out. */
function keyIdsOf({ authorization = '', 'x-tenant-api-key': own = '' }: IncomingHttpHeaders): string[] {
  return [authorization.replace(/^bearer +/i, ''), String(own)].flatMap(
    (value) => parseKey(value)?.keyId ?? [],
  )
}

/** A caller with one address of version 6 has the 2^64 of its network. */
export function sourceOf(address: string): string {
  if (!address.includes(':')) return address
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  const [before = '', after] = address.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}

const TABLE_SIZE = 10_000

/** One bucket a name, of the newest names. */
class Buckets {
  readonly #rate: Rate
  readonly #byName = new BoundedMap<string, TokenBucket>(TABLE_SIZE)

  constructor(rate: Rate) {
    this.#rate = rate
  }

  of(name: string, nowMs: number): TokenBucket {
    const known = this.#byName.get(name)
    if (known) return known
    const bucket = new TokenBucket(this.#rate, nowMs)
    this.#byName.set(name, bucket)
    return bucket
  }
}
