/** Sums of parts: under "Employees by site" the counts of all sites add up to what the whole has. */
import type { Claim, NumberValue } from '@concord/reading/src/claim.ts'
import type { Span } from '@concord/reading/src/format.ts'
import { carries, claimFrom } from './build.ts'
import type { Scene } from './scene.ts'

interface Part {
  readonly claim: Claim
  readonly span: Span
}

const fewest = 2
const most = 40

/** Adds up the claims of lines that follow each other under one heading that lists by class; a stated total ends it. */
export class Parts {
  #heading = -1
  #parts: Part[] = []
  #whole = false

  /** The sum of the lines before, when a new heading begins. */
  turn(scene: Scene, heading: number): Claim | null {
    if (heading === this.#heading) return null
    const sum = this.#sum(scene)
    this.#heading = heading
    this.#parts = []
    this.#whole = false
    return sum
  }

  add(claims: readonly Claim[], span: Span): void {
    const [claim] = claims
    if (claim === undefined || claims.length > 1 || claim.value.type !== 'number') this.#whole = true
    else if (claim.subject.from === 'document') this.#whole = true
    else if (this.#parts.length < most) this.#parts.push({ claim, span })
  }

  #sum(scene: Scene): Claim | null {
    const [first] = this.#parts
    const last = this.#parts.at(-1)
    if (this.#whole || first === undefined || last === undefined || this.#parts.length < fewest) return null
    const values = this.#parts.map(({ claim }) => claim.value)
    const total = totalOf(values.filter((value) => value.type === 'number'))
    if (total === null || (first.claim.kind !== 'count' && first.claim.kind !== 'money')) return null
    return claimFrom(scene.text, {
      ...first.claim,
      subject: { ...scene.subject, from: 'document' },
      value: total,
      context: titleWords(scene, first.claim),
      span: [first.span[0], last.span[1]],
      confidence: 0.65,
    })
  }
}

/** A sum speaks of the whole document, so its title is around it, not the name of the first part. */
function titleWords(scene: Scene, { attribute }: Claim): string[] {
  const { title } = scene.structure.header
  const words =
    title === undefined
      ? []
      : scene
          .tokens(title)
          .filter(carries)
          .map((token) => token.word)
  return [...new Set(words)].filter((word) => !attribute.words.includes(word)).slice(0, 10)
}

/** Plain numbers of one unit, added; null where they are not. */
function totalOf(values: readonly NumberValue[]): NumberValue | null {
  const [first] = values
  if (first === undefined) return null
  let sum = 0
  for (const value of values) {
    if (value.unit !== first.unit || value.low === null || value.low !== value.high || value.bound !== null)
      return null
    sum += value.low
  }
  return { ...first, low: sum, high: sum, step: Math.max(...values.map((value) => value.step)) }
}
