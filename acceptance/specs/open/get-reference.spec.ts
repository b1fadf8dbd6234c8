/** getReference: the contract as a page, which works without any other host. */
import { describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { createSubject } from '../../subject.ts'

const subject = createSubject('getReference')

async function readPage(): Promise<string> {
  return String(subject.expectForm(await subject.call({}), 200))
}

/** The addresses that the page makes a browser load: scripts, styles, images, frames, and what its settings point at. */
function addressesIn(page: string): string[] {
  const attributes = page.matchAll(/\b(?:src|href|action|srcset|data|poster)\s*=\s*["']?([^"'\s>]+)/gi)
  const settings = page.matchAll(/&quot;url&quot;:&quot;(.*?)&quot;/g)
  return [...attributes, ...settings].map(([, address = '']) => address)
}

function isOwn(address: string): boolean {
  return /^\/(?!\/)/.test(address)
}

describe('getReference: 200', () => {
  it('is a page about this service', async () => {
    expect(await readPage()).toMatch(/^<!doctype html>[^]*<title>[^<]*Concord/)
  })

  it('references only addresses of its own', async () => {
    const addresses = addressesIn(await readPage())
    expect(addresses).toContain('/openapi.json')
    expect(addresses.filter((address) => !isOwn(address))).toEqual([])
    expect(await readPage()).not.toMatch(/https?:\/\//)
  })

  it('references nothing that is not there', async () => {
    for (const address of addressesIn(await readPage())) {
      const { status } = await subject.call({ path: address })
      expect({ address, status }).toEqual({ address, status: 200 })
    }
  })

  it('forbids the browser to load anything from elsewhere', async () => {
    const policy = (await subject.call({})).headers['content-security-policy'] ?? ''
    const directives = new Map(policy.split(';').map((each) => splitOnce(each.trim())))
    expect(directives.get('default-src')).toBe("'none'")
    expect(directives.get('frame-ancestors')).toBe("'none'")
    expect([...directives.values()].join(' ')).not.toMatch(/\*|https?:|unsafe-hashes/)
    expect(directives.get('script-src')).not.toContain('unsafe-inline')
  })
})

describe('getReference: 404 for pages that are not in the contract', () => {
  it.each([
    '/docs/assets',
    '/docs/assets/',
    '/docs/assets/js',
    '/docs/assets/openapi.json',
    '/docs/index.html',
    '/',
  ])('serves nothing at %s', async (path) => {
    subject.expectProblem(await subject.call({ path, headers: { accept: '*/*' } }), 'not_found')
  })
})

describeEveryOperation(subject, () => ({}))
describeCompleteness(subject)

function splitOnce(directive: string): [string, string] {
  const [name = '', ...values] = directive.split(/\s+/)
  return [name, values.join(' ')]
}
