/**
 * Counts failed authentication by source address and by key id. After too many failures the caller gets 429 instead of the reason.
 * Failures are counted after the check and never block it: an attacker who fails with another tenant's key id, or from
 * the same address, cannot lock out a valid key. The check costs the same for every credential, and the tables have a
 * fixed size, so invented keys cannot exhaust memory.
 */
import { problems } from '@concord/contract'
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../domain/fault.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import { parseKey } from '../../platform/api-key.ts'
import { TokenBucket } from '../../platform/token-bucket.ts'
import type { Rate } from '../../platform/token-bucket.ts'

export interface FailedAttempts {
  /** Counts a request that failed with this error. Returns the error to answer with. */
  after(error: unknown, attempt: FailedAttempt): unknown
}

export interface FailedAttempt {
  /** The remote address of the connection. */
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

/** A request without any credential is not an attempt. */
function isFailure(error: unknown): boolean {
  return error instanceof Fault && problems[error.code].status === 401 && error.code !== 'credential_missing'
}

/** Returns the ids of all keys in the request. Both count, whichever of them was refused. */
function keyIdsOf({ authorization = '', 'x-tenant-api-key': own = '' }: IncomingHttpHeaders): string[] {
  return [authorization.replace(/^bearer +/i, ''), String(own)].flatMap(
    (value) => parseKey(value)?.keyId ?? [],
  )
}

/** Returns the address to count by: IPv6 addresses are counted by their /64 network, since a caller has all of its 2^64 addresses. */
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

/** Keeps one token bucket per name, for the most recent names only. */
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
