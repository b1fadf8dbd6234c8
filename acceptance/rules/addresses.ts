/** A path is the one the contract writes, letter by letter: nothing that merely resembles it leads anywhere. */
import { describe, expect, it } from 'vitest'
import type { GoodCall, Subject } from '../subject.ts'
import { pathOf, withoutHeaders } from '../subject.ts'

interface Disguise {
  readonly what: string
  readonly disguise: (path: string) => string
}

/** Each of them means the same path to some proxy, router or file system. */
const disguises: readonly Disguise[] = [
  { what: 'in capitals', disguise: (path) => `/${segments(path)[0]?.toUpperCase()}${afterFirst(path)}` },
  { what: 'with a doubled slash in front', disguise: (path) => `/${path}` },
  { what: 'behind a dot segment', disguise: (path) => `/.${path}` },
  { what: 'behind two dots', disguise: (path) => `/api/..${path}` },
  { what: 'behind two encoded dots', disguise: (path) => `/api/%2e%2e${path}` },
  { what: 'with its first slash encoded', disguise: (path) => `/%2f${path.slice(1)}` },
  { what: 'behind a backslash', disguise: (path) => `/%5c${path.slice(1)}` },
  {
    what: 'with a parameter after its first segment',
    disguise: (path) => `/${segments(path)[0]};x=1${afterFirst(path)}`,
  },
  {
    what: 'with U+0000 after its first segment',
    disguise: (path) => `/${segments(path)[0]}%00${afterFirst(path)}`,
  },
  {
    what: 'with a space after its first segment',
    disguise: (path) => `/${segments(path)[0]}%20${afterFirst(path)}`,
  },
]

export function describeAddresses(subject: Subject, good: GoodCall): void {
  const { name } = subject.operation
  describe(`${name}: 404 for what only looks like its path`, () => {
    it.each(disguises)('is not found $what, whoever asks', async ({ disguise }) => {
      const call = await good()
      const reply = await subject.call({ ...call, path: disguise(pathOf(subject.operation, call)) })
      subject.expectProblem(reply, 'not_found')
    })

    it('does not answer under a trailing slash', async () => {
      const call = await good()
      const reply = await subject.call({ ...call, path: `${pathOf(subject.operation, call)}/` })
      // Where a parameter could follow, an empty one is a fault of that parameter.
      expect([404, 422]).toContain(reply.status)
    })
  })

  describe(`${name}: 400 for a path that cannot be decoded`, () => {
    it.each(['%zz', '%', '%ff', '%c0%af', '%ed%a0%80'])('refuses %s', async (escape) => {
      const call = await good()
      const reply = await subject.call({ ...call, path: `${pathOf(subject.operation, call)}${escape}` })
      subject.expectProblem(reply, 'malformed_request')
    })
  })
  if (subject.operation.tier !== 'open' && !subject.operation.anonymous)
    describeGuardedAddresses(subject, good)
}

function describeGuardedAddresses(subject: Subject, good: GoodCall): void {
  describe(`${subject.operation.name}: no spelling of its path goes round the key`, () => {
    it('asks for the key when letters of the path are percent-encoded', async () => {
      const call = withoutHeaders(await good(), 'authorization', 'x-tenant-api-key')
      const path = pathOf(subject.operation, call)
      const encoded = `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`
      const { status } = await subject.call({ ...call, path: encoded })
      expect([401, 404]).toContain(status)
    })

    it('asks for the key when the request line holds a whole address', async () => {
      const call = withoutHeaders(await good(), 'authorization', 'x-tenant-api-key')
      const reply = await subject.call({
        ...call,
        path: `http://localhost${pathOf(subject.operation, call)}`,
      })
      subject.expectProblem(reply, 'credential_missing')
    })
  })
}

function segments(path: string): string[] {
  return path.split('/').slice(1)
}

function afterFirst(path: string): string {
  return segments(path)
    .slice(1)
    .map((segment) => `/${segment}`)
    .join('')
}
