/**
 * The changes that somebody might make to a file of certificates: one thing in a hundred places, or several so that they
 * fit together. They are ordered by the part that the check must name.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { leafHash, redigest, sha256, signedMessage } from './bundle.ts'
import type { Bundle, BundledCertificate, BundleJson } from './bundle.ts'

export interface Forgery {
  readonly name: string
  /** Must be named by the check. */
  readonly part: string
  readonly file: string
}

/** A copy of a file, to be changed, beside the file of another scope. */
interface Draft {
  readonly bundle: Bundle
  readonly evidence: NonNullable<Bundle['evidence']>
  readonly policy: NonNullable<Bundle['policy']>
  /** The last one of the file. */
  readonly last: BundledCertificate
  readonly other: Bundle
  readonly random: () => number
}

/** Undefined where the file has nothing to change in this way. */
export function forge(bundle: Bundle, other: Bundle, nth: number, random: () => number): Forgery | undefined {
  const kind = KINDS[nth % KINDS.length]
  const copy = structuredClone(bundle)
  const last = copy.certificates.at(-1)
  if (!kind || !last) throw new Error('There is no certificate in the file.')
  const { evidence, policy } = copy
  kind.change({ bundle: copy, evidence: evidence ?? [], policy: policy ?? {}, last, other, random })
  const file = JSON.stringify(copy)
  return file === JSON.stringify(bundle) ? undefined : { name: kind.name, part: kind.part, file }
}

const pick = <Item>(items: readonly Item[], random: () => number): Item | undefined =>
  items[Math.floor(random() * items.length)]

const randomScore = (random: () => number) => Math.floor(random() * 1_000_000) / 1_000_000

/** Another digit in the same place; the hyphens of an id stay, so that it is one still. */
function flip(hex: string, random: () => number): string {
  const digits = [...hex.matchAll(/[0-9a-f]/g)].map(({ index }) => index)
  const at = pick(digits, random) ?? 0
  return `${hex.slice(0, at)}${hex[at] === 'a' ? 'b' : 'a'}${hex.slice(at + 1)}`
}

const LEAF_FIELDS: Readonly<Record<string, readonly string[]>> = {
  document: ['version', 'reading'],
  claim: ['version', 'start', 'end', 'quote_sha256', 'content_sha256', 'claim_id'],
  contradiction: ['content_sha256', 'contradiction_id'],
  decision: ['seq', 'decision_id'],
}

/** Returns the entry of the changed leaf. */
function changeLeaf({ evidence, random }: Draft): Draft['evidence'][number] | undefined {
  const entry = pick(evidence, random)
  const field = entry && pick(LEAF_FIELDS[entry.leaf.type] ?? [], random)
  if (!entry || !field) return undefined
  const old = entry.leaf[field]
  if (typeof old === 'number') entry.leaf[field] = old + 1
  else if (field === 'reading') entry.leaf[field] = readMore(old)
  else if (typeof old === 'string') entry.leaf[field] = flip(old, random)
  return entry
}

/** One character more than was read. What was not read has nothing to change. */
function readMore(reading: BundleJson | undefined): BundleJson {
  if (typeof reading !== 'object' || reading === null || Array.isArray(reading)) return reading ?? null
  return { ...reading, characters_read: Number(reading['characters_read']) + 1 }
}

/** The whole attack: other scores, other digests, and the signature of a key that nobody trusts. */
function resign(certificate: BundledCertificate, disguised: boolean): void {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  certificate.scores.score /= 2
  redigest(certificate)
  if (!disguised) certificate.key_id = createHash('sha256').update(spki).digest('hex')
  certificate.signature = sign(null, signedMessage(certificate), privateKey).toString('base64url')
}

const CHANGES: Readonly<Record<string, Readonly<Record<string, (draft: Draft) => void>>>> = {
  evidence: {
    'a leaf is another': (draft) => void changeLeaf(draft),
    'a leaf and its hash are others'(draft) {
      const entry = changeLeaf(draft)
      if (entry) entry.hash = leafHash(entry.leaf)
    },
    'a leaf is missing': ({ evidence, random }) =>
      void evidence.splice(Math.floor(random() * evidence.length), 1),
    'a leaf is there twice'({ evidence, random }) {
      const leaf = pick(evidence, random)
      if (leaf) evidence.push(structuredClone(leaf))
    },
    'two leaves have changed their places'({ evidence, random }) {
      const at = Math.floor(random() * (evidence.length - 1))
      evidence.splice(at + 1, 0, ...evidence.splice(at, 1))
    },
    'the evidence is that of another scope': ({ bundle, other }) =>
      void (bundle.evidence = structuredClone(other.evidence)),
    'another root is certified': ({ last, random }) =>
      void (last.evidence.root = flip(last.evidence.root, random)),
    'more claims are certified': ({ last }) => void (last.evidence.claims += 1),
  },
  policy: {
    'the policies have another text'({ policy, random }) {
      const origin = pick(Object.keys(policy), random)
      if (origin) policy[origin] = `${policy[origin]} `
    },
    'text has moved from one policy to the next'({ policy }) {
      const { default: text = '', tenant = '' } = policy
      if (text) Object.assign(policy, { tenant: `${text.slice(-10)}${tenant}`, default: text.slice(0, -10) })
    },
    'other policies are certified': ({ last: { policy }, random }) =>
      void (policy.hash = policy.hash === null ? sha256('') : flip(policy.hash, random)),
    'other policies are said to have decided': ({ last }) =>
      void last.policy.policies.push('tenant/anything'),
  },
  scores: {
    'the score is another': ({ last, random }) => void (last.scores.score = randomScore(random)),
    'a part of the score is another'({ last: { scores }, random }) {
      const part = pick(Object.keys(scores.parts), random)
      if (part) scores.parts[part] = randomScore(random)
    },
  },
  reading: {
    'more was read': ({ last }) => void (last.reading.characters_read += 1),
    'another share was read': ({ last, random }) => void (last.reading.coverage = randomScore(random)),
    'more claims were compared': ({ last }) => void (last.reading.claims_compared += 1),
    'a model has read it'({ last }) {
      const [first] = last.reading.readers
      if (first) first.reader = 'model'
    },
  },
  about: {
    'the log position is another': ({ last }) => void (last.about.log_position += 1),
  },
  signature: {
    'score and digest are others'({ last, random }) {
      last.scores.score = randomScore(random)
      redigest(last)
    },
    'the signature is another'({ last, random }) {
      const at = Math.floor(random() * 86)
      const letters = last.signature.split('')
      last.signature = letters.with(at, letters[at] === 'A' ? 'B' : 'A').join('')
    },
    'somebody else has signed it in the name of our key': ({ last }) => resign(last, true),
  },
  key: {
    'somebody else has signed it': ({ last }) => resign(last, false),
  },
  chain: {
    'the first certificate is missing'({ bundle: { certificates } }) {
      if (certificates.length > 1) certificates.shift()
    },
    'certificates have changed their places': ({ bundle }) =>
      void (bundle.certificates = bundle.certificates.toReversed()),
    'the first certificate is that of another scope'({ bundle: { certificates }, other }) {
      const [first] = structuredClone(other.certificates)
      if (certificates.length > 1 && first) certificates[0] = first
    },
    'it names another certificate before it'({ last: { previous }, random }) {
      if (previous) previous.hash = flip(previous.hash, random)
    },
    'it hides where new evidence came'({ last: { previous } }) {
      if (previous) previous.reopened_at = null
    },
    'the certificate before it was changed'({ bundle: { certificates } }) {
      const [first, second] = certificates
      if (!first || !second) return
      first.about.log_position += 1
      redigest(first)
    },
  },
}

export const KINDS = Object.entries(CHANGES).flatMap(([part, changes]) =>
  Object.entries(changes).map(([name, change]) => ({ name, part, change })),
)
