import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signingKeyOf } from '../../src/platform/signing.ts'
import { anyBundle, signer } from '../support/certificates.ts'
import { runConcord } from '../support/process.ts'

vi.setConfig({ testTimeout: 60_000 })

const [bundle] = fc.sample(
  anyBundle.filter(
    ({ certificates, evidence }) =>
      certificates.length > 1 &&
      certificates.at(-1)?.format === 'concord-certificate/2' &&
      evidence?.length === 3 &&
      evidence.some(({ leaf }) => leaf.type === 'document' && leaf.reading),
  ),
  { numRuns: 1, seed: 7 },
)
if (!bundle) throw new Error('there is one')

let folder: string
const inFolder = (name: string) => join(folder, name)
/** No setting at all: what it needs is in its arguments. */
const verify = (...args: string[]) => runConcord({}, 'certificate', 'verify', ...args)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'concord-certificates-'))
  const changed = {
    ...bundle,
    evidence: bundle.evidence?.map((each, index) => (index === 1 ? { ...each, hash: '0'.repeat(64) } : each)),
  }
  const files = {
    'good.json': JSON.stringify(bundle),
    'changed.json': JSON.stringify(changed),
    'bare.json': JSON.stringify({ ...bundle, evidence: null, policy: null }),
    'key.pem': signer.publicKeyPem,
    'other.pem': signingKeyOf(randomBytes(32)).publicKeyPem,
  }
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(inFolder(name), content)))
})

afterAll(() => rm(folder, { recursive: true }))

describe('concord certificate verify', () => {
  it('prints what is certified, with only the file and the public key', async () => {
    const { code, stdout } = await verify(inFolder('good.json'), '--key', inFolder('key.pem'))
    const about = bundle.certificates.at(-1)?.about
    expect(code).toBe(0)
    expect(stdout).toMatch(/good\.json: valid$/m)
    expect(stdout).toContain(`scope ${about?.scope_id} of tenant ${about?.tenant_id}`)
    expect(stdout).toContain(`log position ${about?.log_position},`)
  })

  it('prints the readers, how much they read, and how much was compared', async () => {
    const { stdout } = await verify(inFolder('good.json'), '--key', inFolder('key.pem'))
    const last = bundle.certificates.at(-1)
    if (last?.format !== 'concord-certificate/2') throw new Error('it is of form 2')
    const { readers, characters, claims, claims_compared } = last.reading
    expect(stdout).toContain(`read by ${readers[0]?.reader} ${readers[0]?.reader_version} (`)
    expect(stdout).toMatch(new RegExp(`read [\\d.]+ % of ${characters.toLocaleString('en-US')} characters?`))
    expect(stdout).toMatch(new RegExp(`${claims} claims?, ${claims_compared} compared with another document`))
  })

  it('prints for a certificate of form 1 that it has no reading', async () => {
    const files = ['json', 'pem'].map((ending) =>
      fileURLToPath(new URL(`../support/certificates-of-form-1.${ending}`, import.meta.url)),
    )
    const [file = '', key = ''] = files
    const { code, stdout } = await verify(file, '--key', key)
    expect(code).toBe(0)
    expect(stdout).toContain('form 1: says nothing about what was read')
    const { stdout: json } = await verify(file, '--key', key, '--json')
    expect(JSON.parse(json)).toMatchObject({ valid: true, format: 'concord-certificate/1', reading: null })
  })

  it('accepts the key as base64 too, and prints for each file what differs', async () => {
    const key = signer.publicKeyPem.split('\n')[1] ?? ''
    const files = ['good.json', 'changed.json', 'bare.json'].map(inFolder)
    const { code, stdout } = await verify(...files, '--key', key, '--json')
    const told = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(code).toBe(2)
    expect(told).toMatchObject([
      { valid: true, differences: [] },
      {
        valid: false,
        differences: [{ part: 'evidence', message: expect.stringMatching(/^leaf 1 was changed: /) }],
      },
      {
        valid: false,
        differences: ['evidence', 'policy'].map((part) => ({
          part,
          message: expect.stringContaining('not in the file'),
        })),
      },
    ])
  })

  it('prints which parts it did not check', async () => {
    const { code, stdout } = await verify(inFolder('bare.json'), '--key', inFolder('key.pem'), '--partial')
    expect(code).toBe(0)
    expect(stdout).toMatch(/NOT CHECKED: evidence[^]*NOT CHECKED: policy/)
  })

  it.each([
    ['another key', 2, ['good.json', '--key', 'other.pem'], /key of certificate 1: it is signed with key/],
    ['no key', 1, ['good.json'], /--key/],
    ['a key that is none', 1, ['good.json', '--key', 'good.json'], /neither a public key nor a file/],
    ['no such file', 1, ['absent.json', '--key', 'key.pem'], /absent\.json/],
    ['no certificate', 2, ['key.pem', '--key', 'key.pem'], /NOT VALID\n {2}form: the file/],
  ])('refuses %s', async (_, expected, args, hint) => {
    const { code, output } = await verify(
      ...args.map((each) => (each.startsWith('--') ? each : inFolder(each))),
    )
    expect(output).toMatch(hint)
    expect(code).toBe(expected)
  })
})
