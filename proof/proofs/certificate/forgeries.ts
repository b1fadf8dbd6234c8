/**
 * What somebody might change in a file of certificates: one thing in a hundred places, or several so that they fit together.
 * Each says which part must be named when the file is checked.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { leafHash, redigest, sha256, signedMessage } from './bundle.ts'
import type { Bundle, Certificate } from './bundle.ts'

export interface Forgery {
  readonly name: string
  /** At least one of these must be named. */
  readonly parts: readonly string[]
  readonly file: string
}

export type Random = () => number

interface Kind {
  readonly name: string
  readonly parts: readonly string[]
  /** False where the file has nothing to change. */
  readonly change: (bundle: Bundle, random: Random, other: Bundle) => boolean
}

export function forge(bundle: Bundle, other: Bundle, nth: number, random: Random): Forgery | undefined {
  const kind = KINDS[nth % KINDS.length]
  if (!kind) return undefined
  const copy = structuredClone(bundle)
  if (!kind.change(copy, random, other)) return undefined
  const file = JSON.stringify(copy)
  return file === JSON.stringify(bundle) ? undefined : { name: kind.name, parts: kind.parts, file }
}

export const kindsOfForgery = (): readonly string[] => KINDS.map(({ name }) => name)

const pick = <Item>(items: readonly Item[], random: Random): Item | undefined =>
  items[Math.floor(random() * items.length)]

const last = (bundle: Bundle): Certificate => {
  const certificate = bundle.certificates.at(-1)
  if (!certificate) throw new Error('There is no certificate in the file.')
  return certificate
}

/** Another digit in the same place; the hyphens of an id stay, so that it is one still. */
function flip(hex: string, random: Random): string {
  const digits = [...hex.matchAll(/[0-9a-f]/g)].map(({ index }) => index)
  const at = pick(digits, random) ?? 0
  const other = hex[at] === 'a' ? 'b' : 'a'
  return `${hex.slice(0, at)}${other}${hex.slice(at + 1)}`
}

const LEAF_FIELDS: Readonly<Record<string, readonly string[]>> = {
  document: ['version'],
  claim: ['version', 'start', 'end', 'quote_sha256', 'content_sha256', 'claim_id'],
  contradiction: ['content_sha256', 'contradiction_id'],
  decision: ['seq', 'decision_id'],
}

function changeLeaf({ evidence }: Bundle, random: Random): number | undefined {
  const at = Math.floor(random() * (evidence?.length ?? 0))
  const leaf = evidence?.[at]?.leaf
  const field = leaf && pick(LEAF_FIELDS[leaf.type] ?? [], random)
  if (!leaf || !field) return undefined
  const old = leaf[field]
  if (typeof old === 'number') leaf[field] = old + 1
  else if (typeof old === 'string') leaf[field] = flip(old, random)
  return at
}

/** The whole attack: other scores, other digests, and the signature of a key that nobody trusts. */
function resign(certificate: Certificate, disguised: boolean): void {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const id = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex')
  redigest(certificate)
  if (!disguised) certificate.key_id = id
  certificate.signature = sign(null, signedMessage(certificate), privateKey).toString('base64url')
}

const KINDS: readonly Kind[] = [
  {
    name: 'a leaf is another',
    parts: ['evidence'],
    change: (bundle, random) => changeLeaf(bundle, random) !== undefined,
  },
  {
    name: 'a leaf and its hash are others',
    parts: ['evidence'],
    change(bundle, random) {
      const at = changeLeaf(bundle, random)
      const entry = at === undefined ? undefined : bundle.evidence?.[at]
      if (entry) entry.hash = leafHash(entry.leaf)
      return entry !== undefined
    },
  },
  {
    name: 'a leaf is missing',
    parts: ['evidence'],
    change: ({ evidence }, random) =>
      (evidence?.splice(Math.floor(random() * evidence.length), 1).length ?? 0) > 0,
  },
  {
    name: 'a leaf is there twice',
    parts: ['evidence'],
    change({ evidence }, random) {
      const leaf = pick(evidence ?? [], random)
      if (leaf) evidence?.push(structuredClone(leaf))
      return leaf !== undefined
    },
  },
  {
    name: 'two leaves have changed their places',
    parts: ['evidence'],
    change({ evidence }, random) {
      const at = Math.floor(random() * ((evidence?.length ?? 1) - 1))
      const [moved] = evidence?.splice(at, 1) ?? []
      if (moved) evidence?.splice(at + 1, 0, moved)
      return moved !== undefined
    },
  },
  {
    name: 'the evidence is that of another scope',
    parts: ['evidence'],
    change(bundle, _, other) {
      bundle.evidence = structuredClone(other.evidence)
      return true
    },
  },
  {
    name: 'another root is certified',
    parts: ['evidence'],
    change(bundle, random) {
      last(bundle).evidence.root = flip(last(bundle).evidence.root, random)
      return true
    },
  },
  {
    name: 'more claims are certified',
    parts: ['evidence'],
    change(bundle) {
      last(bundle).evidence.claims += 1
      return true
    },
  },
  {
    name: 'the policies have another text',
    parts: ['policy'],
    change({ policy }, random) {
      const origin = pick(Object.keys(policy ?? {}), random)
      if (policy && origin) policy[origin] = `${policy[origin]} `
      return policy !== null
    },
  },
  {
    name: 'text has moved from one policy to the next',
    parts: ['policy'],
    change({ policy }) {
      if (!policy?.['default']) return false
      policy['tenant'] = `${policy['default'].slice(-10)}${policy['tenant']}`
      policy['default'] = policy['default'].slice(0, -10)
      return true
    },
  },
  {
    name: 'other policies are certified',
    parts: ['policy'],
    change(bundle, random) {
      const { policy } = last(bundle)
      policy.hash = policy.hash === null ? sha256('') : flip(policy.hash, random)
      return true
    },
  },
  {
    name: 'other policies are said to have decided',
    parts: ['policy'],
    change(bundle) {
      last(bundle).policy.policies.push('tenant/anything')
      return true
    },
  },
  {
    name: 'the score is another',
    parts: ['scores'],
    change(bundle, random) {
      last(bundle).scores.score = Math.floor(random() * 1_000_000) / 1_000_000
      return true
    },
  },
  {
    name: 'a part of the score is another',
    parts: ['scores'],
    change(bundle, random) {
      const { parts } = last(bundle).scores
      const part = pick(Object.keys(parts), random)
      if (part) parts[part] = Math.floor(random() * 1_000_000) / 1_000_000
      return true
    },
  },
  {
    name: 'score and digest are others',
    parts: ['signature'],
    change(bundle, random) {
      last(bundle).scores.score = Math.floor(random() * 1_000_000) / 1_000_000
      redigest(last(bundle))
      return true
    },
  },
  {
    name: 'the log position is another',
    parts: ['about'],
    change(bundle) {
      last(bundle).about.log_position += 1
      return true
    },
  },
  {
    name: 'the signature is another',
    parts: ['signature'],
    change(bundle, random) {
      const at = Math.floor(random() * 86)
      const { signature } = last(bundle)
      last(bundle).signature =
        `${signature.slice(0, at)}${signature[at] === 'A' ? 'B' : 'A'}${signature.slice(at + 1)}`
      return true
    },
  },
  {
    name: 'somebody else has signed it',
    parts: ['key'],
    change(bundle) {
      last(bundle).scores.score /= 2
      resign(last(bundle), false)
      return true
    },
  },
  {
    name: 'somebody else has signed it in the name of our key',
    parts: ['signature'],
    change(bundle) {
      last(bundle).scores.score /= 2
      resign(last(bundle), true)
      return true
    },
  },
  {
    name: 'the first certificate is missing',
    parts: ['chain'],
    change: ({ certificates }) => certificates.length > 1 && certificates.shift() !== undefined,
  },
  {
    name: 'certificates have changed their places',
    parts: ['chain'],
    change(bundle) {
      bundle.certificates = bundle.certificates.toReversed()
      return bundle.certificates.length > 1
    },
  },
  {
    name: 'the first certificate is that of another scope',
    parts: ['chain'],
    change(bundle, _, other) {
      const [first] = other.certificates
      if (bundle.certificates.length < 2 || !first) return false
      bundle.certificates[0] = structuredClone(first)
      return true
    },
  },
  {
    name: 'it names another certificate before it',
    parts: ['chain'],
    change(bundle, random) {
      const { previous } = last(bundle)
      if (previous) previous.hash = flip(previous.hash, random)
      return previous !== null
    },
  },
  {
    name: 'it hides where new evidence came',
    parts: ['chain'],
    change(bundle) {
      const { previous } = last(bundle)
      if (previous) previous.reopened_at = null
      return previous !== null
    },
  },
  {
    name: 'the certificate before it was changed',
    parts: ['chain'],
    change({ certificates: [first, second] }) {
      if (!first || !second) return false
      first.about.log_position += 1
      redigest(first)
      return true
    },
  },
]
