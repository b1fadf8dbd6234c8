/**
 * Reads what a document states: one typed claim for each value, denial, state and role that its structure holds. Pure,
 * deterministic and linear in the length of the text. A text in another language than English gives none.
 */
import type { Claim } from '../domain/claim.ts'
import { claimsOfPassage, headerClaims } from './claims/passages.ts'
import { readScene } from './claims/scene.ts'
import type { Scene } from './claims/scene.ts'
import type { Structure } from './format.ts'

const mostClaims = 400

export function readClaims(text: string, structure: Structure): Claim[] {
  if (structure.language === 'other') return []
  const scene = readScene(text, structure)
  const claims: Claim[] = headerClaims(scene)
  const flow = claimsOfPassage(scene)
  const isNew = createMemory()
  for (let index = 0; index < structure.passages.length && claims.length < mostClaims; index += 1) {
    for (const claim of flow(index)) if (claims.length < mostClaims && isNew(claim)) claims.push(claim)
  }
  return marked([...claims.filter((claim) => !isBeside(claim)), ...claims.filter(isBeside)], scene)
}

/** What is told beside the values of a document comes behind them. */
function isBeside({ value, qualifiers }: Claim): boolean {
  if (value.type !== 'word') return false
  return value.family === 'code' || (value.family === 'statement' && qualifiers.includes('part'))
}

/** A document about site 01 speaks of site 01 throughout, also where a sentence names something else. */
function marked(claims: Claim[], { subject }: Scene): Claim[] {
  const mark = subject.from === 'document' ? subject.words.find((word) => /\d/.test(word)) : undefined
  if (mark === undefined) return claims
  return claims.map((claim) =>
    claim.subject.words.includes(mark)
      ? claim
      : { ...claim, qualifiers: [...claim.qualifiers, `document:${mark}`].toSorted() },
  )
}

/** What a document repeats word for word of the same thing says nothing new: headers and footers of pages, standing phrases. */
function createMemory(): (claim: Claim) => boolean {
  const told = new Map<string, Claim[]>()
  return (claim) => {
    const alike = told.get(claim.quote)
    if (alike?.some((other) => isSame(other, claim))) return false
    if (alike) alike.push(claim)
    else told.set(claim.quote, [claim])
    return true
  }
}

/** Of claims with the same quote. */
function isSame(one: Claim, other: Claim): boolean {
  return (
    one.kind === other.kind &&
    one.valueText === other.valueText &&
    areSame(one.period ?? [], other.period ?? []) &&
    areSame(one.subject.words, other.subject.words) &&
    areSame(one.attribute.words, other.attribute.words) &&
    areSame(one.context, other.context)
  )
}

function areSame<Each>(some: readonly Each[], others: readonly Each[]): boolean {
  return some.length === others.length && some.every((each, at) => each === others[at])
}
