import type { IncomingMessage } from 'node:http'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accepts, refuseDuplicateHeaders, refuseEncodedBody, requestIdOf } from '../../src/http/headers.ts'
import { Fault } from '../../src/domain/fault.ts'

const UNIQUE = ['Authorization', 'X-Tenant-ID', 'X-Tenant-API-Key', 'Content-Length', 'Content-Type', 'Host']
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const faultOf = (work: () => void): string | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof Fault ? error.code : String(error)
  }
}

describe('a header that must be unique', () => {
  it.each(UNIQUE)('%s is refused when sent twice, in whatever letters', (name) => {
    const twice = [name, 'a', 'Accept', '*/*', name.toLowerCase(), 'a']
    expect(faultOf(() => refuseDuplicateHeaders(twice))).toBe('duplicate_header')
    expect(faultOf(() => refuseDuplicateHeaders([name, 'a', 'Accept', '*/*']))).toBeUndefined()
  })

  it('does not include headers that may repeat', () => {
    const repeated = ['Accept', 'a', 'Accept', 'b', 'Cookie', 'a', 'cookie', 'b']
    expect(faultOf(() => refuseDuplicateHeaders(repeated))).toBeUndefined()
  })

  it('is not looked for among the values', () => {
    expect(
      faultOf(() => refuseDuplicateHeaders(['Host', 'authorization', 'X-A', 'authorization'])),
    ).toBeUndefined()
  })
})

describe('an encoded body', () => {
  it.each(['gzip', 'br', 'deflate', 'zstd', 'gzip, identity', ''])('in %j is refused', (encoding) => {
    expect(faultOf(() => refuseEncodedBody('POST', encoding))).toBe('unsupported_media_type')
  })

  it.each([undefined, 'identity'])('in %j is none', (encoding) => {
    expect(faultOf(() => refuseEncodedBody('POST', encoding))).toBeUndefined()
  })

  it('is not looked for where no body is read', () => {
    expect(faultOf(() => refuseEncodedBody('GET', 'gzip'))).toBeUndefined()
  })
})

describe('the id of a request', () => {
  const idFor = (sent: string | string[] | undefined) =>
    requestIdOf({ headers: { 'x-request-id': sent } } as unknown as IncomingMessage)

  it.each(['a', 'req-1', '7f3c:0.1_x'.replace('_', '-'), 'A'.repeat(128)])(
    'is the one that was sent: %s',
    (sent) => {
      expect(idFor(sent)).toBe(sent)
    },
  )

  it.each([undefined, '', 'a b', 'a\n{"level":"fatal"}', '"', '<x>', 'é', 'A'.repeat(129), 'a, b', 'a/b'])(
    'is a fresh one instead of %j',
    (sent) => {
      expect(idFor(sent)).toMatch(UUID)
      expect(idFor(sent)).not.toBe(idFor(sent))
    },
  )

  it('is harmless to log, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string(), (sent) => {
        expect(idFor(sent)).toMatch(/^[A-Za-z0-9._:-]{1,128}$/)
      }),
    )
  })
})

describe('accepts', () => {
  const json = ['application/json', 'application/problem+json']

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'APPLICATION/JSON',
    'application/*',
    'application/json; charset=utf-8',
    'text/html, application/json;q=0.5',
    'text/html;q=1, */*;q=0.1',
    'application/problem+json',
  ])('allows JSON for %j', (header) => {
    expect(accepts(header, json)).toBe(true)
  })

  it.each(['text/html', 'application/xml', 'text/*', 'application/json;q=0', '*/*;q=0.000', 'json', ','])(
    'does not allow JSON for %j',
    (header) => {
      expect(accepts(header, json)).toBe(false)
    },
  )
})
