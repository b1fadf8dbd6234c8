import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CertificateBundleRecord } from '@concord/contract'
import { verifyFile } from '../../src/command/certificate-file.ts'
import { certify } from '../../src/domain/certificate.ts'
import type { DifferingPart } from '../../src/domain/certificate/verification.ts'
import { readPublicKey, sha256, signingKeyOf } from '../../src/platform/signing.ts'
import { anyBundle, signer } from '../support/certificates.ts'

const keys = [readPublicKey(signer.publicKeyPem)]
const verify = (bundle: unknown, options = {}) =>
  verifyFile(JSON.stringify(bundle), { keys, partial: false, ...options })
const partsOf = (bundle: unknown) => verify(bundle).differences.map(({ part }) => part)

type Path = readonly (string | number)[]

/** Every value that has no parts of its own, by where it stands. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((each, index): [number, unknown] => [index, each])
    : Object.entries(value)
  return entries.flatMap(([name, each]) => placesIn(each, [...path, name]))
}

function changeAt(value: unknown, [name, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((each: unknown, index) => (index === name ? changeAt(each, rest, change) : each))
  return Object.fromEntries(
    Object.entries(value as object).map(([each, old]) => [
      each,
      each === name ? changeAt(old, rest, change) : old,
    ]),
  )
}

/** Another value of the same kind, near the old one: a digit, a letter, a bit. */
function another(old: unknown, lot: number): unknown {
  if (typeof old === 'number') return Number.isInteger(old) && old !== 1 ? old + 1 : old / 2
  if (typeof old !== 'string' || old === '') return 'x'
  const at = lot % old.length
  const letter = old[at]
  const next = letter === 'a' ? 'b' : 'a'
  const changed = `${old.slice(0, at)}${next}${old.slice(at + 1)}`
  return changed.isWellFormed() ? changed : `${old}a`
}

/** The part that must be named when this place was changed. Whatever breaks the form is told as that. */
function expectedAt([top, , part, name]: Path): DifferingPart[] {
  if (top === 'format') return ['form']
  if (top === 'evidence' || top === 'policy') return [top, 'form']
  switch (part) {
    case 'key_id':
      return ['key', 'form']
    case 'signature':
      return ['signature', 'form']
    case 'previous':
      return ['chain', 'form']
    case 'digests':
      return name === 'previous'
        ? ['chain', 'signature', 'form']
        : [name as DifferingPart, 'signature', 'form']
    default:
      return [part as DifferingPart, 'form']
  }
}

describe('a file of certificates', () => {
  it('is accepted as it was exported, whatever is in it', () => {
    fc.assert(
      fc.property(anyBundle, (bundle) => {
        expect(verify(bundle).differences).toEqual([])
      }),
    )
  })

  it('is refused when any single value in it is another, and what was changed is named', () => {
    fc.assert(
      fc.property(anyBundle, fc.nat(), fc.nat(), (bundle, place, lot) => {
        const places = placesIn(bundle)
        const path = places[place % places.length] ?? []
        const parts = partsOf(changeAt(bundle, path, (old) => another(old, lot)))
        expect({ path, expected: expectedAt(path) }).toEqual({
          path,
          expected: expect.arrayContaining(parts.slice(0, 1)),
        })
        expect(parts).not.toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('is refused when a leaf is missing, doubled or in another place', () => {
    const chosen = anyBundle.filter(({ evidence }) => (evidence?.length ?? 0) > 1)
    fc.assert(
      fc.property(chosen, fc.nat(), (bundle, lot) => {
        const leaves = bundle.evidence ?? []
        const at = lot % leaves.length
        const leaf = leaves[at]
        if (!leaf) throw new Error('there is one')
        const moved = leaves.toSpliced(at, 1)
        moved.splice((at + 1) % leaves.length, 0, leaf)
        const others = [leaves.toSpliced(at, 1), [...leaves, leaf], moved]
        const changed = others.filter((each) => JSON.stringify(each) !== JSON.stringify(leaves))
        for (const evidence of changed) expect(partsOf({ ...bundle, evidence })).toContain('evidence')
      }),
    )
  })

  it('is refused when leaves and their hashes were changed together', () => {
    fc.assert(
      fc.property(anyBundle, anyBundle, (bundle, { evidence }) => {
        fc.pre(JSON.stringify(evidence) !== JSON.stringify(bundle.evidence))
        expect(partsOf({ ...bundle, evidence })).toContain('evidence')
      }),
    )
  })

  it('is refused when a certificate of its chain is missing, exchanged or of another scope', () => {
    const long = anyBundle.filter(({ certificates }) => certificates.length > 2)
    fc.assert(
      fc.property(long, long, (bundle, other) => {
        const { certificates } = bundle
        const foreign = other.certificates
        for (const chain of [
          certificates.slice(1),
          certificates.toSpliced(1, 1),
          certificates.toReversed(),
          [...foreign.slice(0, 1), ...certificates.slice(1)],
          [...certificates, ...certificates.slice(-1)],
        ])
          expect(partsOf({ ...bundle, certificates: chain })).toContain('chain')
      }),
    )
  })

  it('is refused when another key signed it, or when its chain is one that no service makes', () => {
    fc.assert(
      fc.property(anyBundle, fc.integer({ min: 2, max: 9 }), (bundle, number) => {
        const last = bundle.certificates.at(-1)
        fc.pre(last?.format === 'concord-certificate/2')
        const by = (key: typeof signer, about = last.about): CertificateBundleRecord => ({
          ...bundle,
          certificates: [...bundle.certificates.slice(0, -1), certify(sha256, key, { ...last, about })],
        })
        const stranger = signingKeyOf(randomBytes(32))
        expect(partsOf(by(stranger))).toEqual(['key'])
        const disguised = { keyId: signer.keyId, publicKeyPem: '', sign: stranger.sign }
        expect(partsOf(by(disguised))).toEqual(['signature'])
        const jumping = { ...last.about, number: last.about.number + number }
        expect(partsOf(by(signer, jumping))).toEqual(['chain'])
      }),
    )
  })

  it('needs its evidence and its policies, unless a partial check is requested', () => {
    fc.assert(
      fc.property(anyBundle, (bundle) => {
        const bare = { ...bundle, evidence: null, policy: null }
        expect(partsOf(bare)).toEqual(['evidence', 'policy'])
        expect(verify(bare, { partial: true }).differences).toEqual([])
      }),
    )
  })

  it('is refused when it is changed to form 1, without its reading', () => {
    fc.assert(
      fc.property(anyBundle, (bundle) => {
        const last = bundle.certificates.at(-1)
        fc.pre(last?.format === 'concord-certificate/2' && last.scores.state === 'settled')
        const { reading: _, digests, ...rest } = last
        const { reading: __, ...first } = digests
        const silent = { ...rest, format: 'concord-certificate/1', digests: first }
        const certificates = [...bundle.certificates.slice(0, -1), silent]
        expect(partsOf({ ...bundle, certificates })).toContain('signature')
      }),
      { numRuns: 30 },
    )
  })

  it('is refused when it is signed for more than its documents say was read', () => {
    fc.assert(
      fc.property(anyBundle, (bundle) => {
        const last = bundle.certificates.at(-1)
        fc.pre(last?.format === 'concord-certificate/2')
        const reading = { ...last.reading, characters_read: last.reading.characters_read + 1 }
        const certificates = [
          ...bundle.certificates.slice(0, -1),
          certify(sha256, signer, { ...last, reading }),
        ]
        expect(partsOf({ ...bundle, certificates })).toEqual(['reading'])
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['another JSON', '[]'],
    [
      'a bundle without certificates',
      '{"format":"concord-certificate-bundle/1","certificates":[],"evidence":[],"policy":null}',
    ],
  ])('is told from %s', (_, content) => {
    const { bundle, differences } = verifyFile(content, { keys, partial: false })
    expect(bundle).toBeUndefined()
    expect(differences[0]?.part).toBe('form')
  })
})

/** Exported by a release that knew no other form; signed with the key beside it. */
describe('a file of certificates of form 1', () => {
  const read = (ending: string) =>
    readFileSync(new URL(`../support/certificates-of-form-1.${ending}`, import.meta.url), 'utf8')
  const options = { keys: [readPublicKey(read('pem'))], partial: false }
  const bundle: unknown = JSON.parse(read('json'))

  it('is accepted as it was exported', () => {
    const { bundle: accepted, differences } = verifyFile(read('json'), options)
    expect(differences).toEqual([])
    expect(accepted?.certificates.map(({ format }) => format)).toEqual([
      'concord-certificate/1',
      'concord-certificate/1',
    ])
  })

  it('is refused when any single value in it is another, and what was changed is named', () => {
    for (const path of placesIn(bundle)) {
      const changed = JSON.stringify(changeAt(bundle, path, (old) => another(old, 7)))
      const [first] = verifyFile(changed, options).differences
      expect({ path, part: first?.part }).toEqual({ path, part: expect.toBeOneOf(expectedAt(path)) })
    }
  })

  it('is refused when it is said to be of form 2', () => {
    const renamed = read('json').replaceAll('concord-certificate/1', 'concord-certificate/2')
    expect(verifyFile(renamed, options).differences[0]?.part).toBe('form')
  })
})
