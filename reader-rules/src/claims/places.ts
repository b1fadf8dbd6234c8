/** Where a passage stands: under which headings, in which message, and what that lends to its claims. */
import type { Claim } from '@concord/reading/src/claim.ts'
import { askedIn, listedBy } from './asked.ts'
import type { ClaimPosition } from './build.ts'
import type { Scene } from './scene.ts'

interface Headed {
  readonly subject: Claim['subject']
  readonly context: readonly string[]
  readonly heading: readonly string[]
  readonly listed: boolean
}

const maxHeadings = 4

/** Places by heading and part, each worked out once. */
export function placesOf(scene: Scene): (index: number) => ClaimPosition {
  const known = new Map<number, Headed>()
  return (index) => {
    const passage = scene.structure.passages[index]
    const heading = passage?.heading ?? -1
    let headed = known.get(heading)
    if (headed === undefined) {
      headed = readHeaded(scene, heading)
      known.set(heading, headed)
    }
    const part = passage?.part ?? null
    const assertedAt = part === null ? scene.assertedAt : (scene.partDates[part] ?? scene.assertedAt)
    return { ...headed, assertedAt, period: null, hints: hintsAt(scene, assertedAt), quoted: false }
  }
}

/** Dates without a year are of about the time at which the document speaks. */
export function hintsAt(scene: Scene, assertedAt: number | null): ClaimPosition['hints'] {
  if (assertedAt === null) return scene.hints
  const day = new Date(assertedAt * 86_400_000)
  return { ...scene.hints, year: day.getUTCFullYear(), month: day.getUTCMonth() + 1 }
}

/** Heads of headings that say nothing of what is measured. */
const idle = new Set(
  `overview executive summary highlight note remark general introduction scope detail information data annex appendix section part
   table result other term matter background process conclusion question answer quality statement item schedule`.split(
    /\s+/,
  ),
)

function readHeaded(scene: Scene, innermost: number): Headed {
  const context: string[] = []
  let subject = scene.subject
  let measure: readonly string[] = []
  let listed = false
  let heading: number | null = innermost === -1 ? null : innermost
  for (let step = 0; heading !== null && step < maxHeadings; step += 1) {
    const words = scene.headings[heading]
    const own = scene.structure.headings[heading]
    if (words === undefined || own === undefined) break
    for (const word of words.words) if (context.length < 6 && !context.includes(word)) context.push(word)
    const list = measure.length === 0 ? listedBy(scene, own.span) : null
    if (list !== null) [measure, listed] = [list, true]
    if (measure.length === 0)
      measure = askedIn(scene, own.span).words.filter((word) => !idle.has(word) && !/\d/.test(word))
    if (words.name !== null && subject === scene.subject)
      subject = { words: words.name, text: words.nameText, from: 'heading' }
    heading = own.parent
  }
  return { subject, context, heading: measure.slice(0, 4), listed }
}
