/**
 * Two claims in, one verdict out: first whether they are about the same thing at all, then whether their values differ,
 * then why. Everything here gives the same answer with its arguments swapped.
 */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { Judgement } from '@concord/reading/src/finding.ts'
import {
  compareAttributes,
  isBlanketDenial,
  isDenied,
  sharedContext,
  touches,
  type AttributeMatch,
} from './attributes.ts'
import { scoreOf, type ScoringRule } from './scoring.ts'
import { movement, replacesValueOf, type ValueMovement } from './moving.ts'
import { comparePeriods, happenedLater, ofOtherLength, type PeriodMatch } from './periods.ts'
import { prepare, type Prepared } from './prepared.ts'
import { isOfAnother, isRetold } from './retelling.ts'
import { isStatement, judgeStatements } from './statements.ts'
import { compareSubjects, type SubjectMatch } from './subjects.ts'
import { compareValues } from './values.ts'
import { commonRoles, sharedRoles, soleRole } from './words.ts'
import { isSupposed, otherModality, otherQualifier } from './worlds.ts'

interface Ground {
  readonly subject: SubjectMatch
  readonly period: PeriodMatch
  readonly attribute: AttributeMatch
}

const touching: AttributeMatch = { same: true, strength: 0.6, shared: 1 }

function notComparable(reason: string): Judgement {
  return { relation: 'not_comparable', reason, score: 0 }
}

function kindsMeet(a: Prepared, b: Prepared): boolean {
  if (a.family === b.family) return true
  return (a.family === 'any' && isSome(b)) || (b.family === 'any' && isSome(a))
}

/** "No dividend" against "a dividend of 5 m", "no deaths" against "two deaths". */
function isSome({ family }: Prepared): boolean {
  return family === 'count' || family === 'money'
}

/** Several people may hold it at once, so two names do not exclude each other; "the HR director" is one. */
function isShared({ family, head, words }: Prepared): boolean {
  if (family !== 'who' || !sharedRoles.has(head) || words.some((word) => soleRole.has(word))) return false
  return words.every((word) => word === head || commonRoles.has(word))
}

/** Two documents of one series, each about one of it: site 01 and site 04, batch 0817 and batch 0822. */
function ofSisters({ mark: a }: Prepared, { mark: b }: Prepared): boolean {
  if (a === null || b === null || a === b) return false
  return a.replaceAll(/\d/g, '0') === b.replaceAll(/\d/g, '0')
}

/** Cheapest questions first: most pairs of a group fail one of them. */
function unlike(a: Prepared, b: Prepared): string | null {
  if (ofSisters(a, b)) return 'other_subject'
  if (otherModality(a, b)) return 'other_modality'
  if (otherQualifier(a, b)) return 'other_qualifier'
  if (isShared(a) && isShared(b)) return 'shared_role'
  return null
}

function ruleOf(a: Prepared, b: Prepared, moved: ValueMovement): ScoringRule {
  if (moved.named) return moved.relation === 'change' ? 'named_change' : 'correction'
  if (moved.relation === 'change') return moved.announced ? 'announced_change' : 'change'
  if (moved.relation === 'restatement') return 'restated'
  if (a.family === 'any' || b.family === 'any') return 'existence'
  // One family may hold two kinds; whichever comes first of them, it is the same with both swapped.
  const kind = a.claim.kind < b.claim.kind ? a.claim.kind : b.claim.kind
  switch (kind) {
    case 'date':
    case 'identity':
    case 'status':
    case 'level':
      return kind
    default:
      return 'value'
  }
}

/** A speaker who says that a figure rose or fell means the one before it, whatever the words. */
const mostlyAlike = 0.7

function decide(a: Prepared, b: Prepared, ground: Ground): Judgement {
  const moved = movement(a, b, ground.period)
  if (moved.relation !== 'change' && ground.period === 'apart') return notComparable('other_period')
  const alike = moved.announced ? mostlyAlike : 1
  if (ground.period === 'apart' && !moved.named && ground.attribute.strength < alike)
    return notComparable('other_period')
  const rule = ruleOf(a, b, moved)
  const score = scoreOf(rule, a, b, {
    ...ground,
    context: sharedContext(a, b) + sharedContext(b, a),
  })
  return { relation: moved.relation, reason: rule, score }
}

function groundOf(a: Prepared, b: Prepared): Ground | string {
  if (!kindsMeet(a, b)) return 'other_kind'
  if (replacesValueOf(a, b) || replacesValueOf(b, a)) return groundOfReplacement(a, b)
  const reason = unlike(a, b)
  if (reason !== null) return reason
  const period = comparePeriods(a, b)
  if (period === 'other') return 'other_period'
  const attribute = compareAttributes(a, b)
  if (!attribute.same) return 'other_attribute'
  const subject = compareSubjects(a, b)
  if (subject === 'other' || (a.family !== 'who' && isRetold(a, b) && isOfAnother(a, b)))
    return 'other_subject'
  if (ofOtherLength(a, b) || deniedBefore(a, b) || deniedBefore(b, a)) return 'other_period'
  return isBlanketDenial(a, b) ? 'blanket' : { subject, period, attribute }
}

function deniedBefore(denial: Prepared, event: Prepared): boolean {
  return isDenied(denial) && !isDenied(event) && happenedLater(denial, event)
}

/** A speaker who names the value it replaces needs less to be about the same: basis and period may be what was put right. */
function groundOfReplacement(a: Prepared, b: Prepared): Ground | string {
  if (isSupposed(a) || isSupposed(b)) return 'other_modality'
  const subject = compareSubjects(a, b)
  if (subject === 'other') return 'other_subject'
  const attribute = compareAttributes(a, b)
  if (!attribute.same && !touches(a, b)) return 'other_attribute'
  const period = comparePeriods(a, b)
  return {
    subject: subject === 'part' ? 'lopsided' : subject,
    period: period === 'other' || period === 'apart' ? 'lopsided' : period,
    attribute: attribute.same ? attribute : touching,
  }
}

export function judgePrepared(a: Prepared, b: Prepared): Judgement {
  if (isStatement(a.claim) && isStatement(b.claim)) return judgeStatements(a, b)
  const ground = groundOf(a, b)
  if (typeof ground === 'string') return notComparable(ground)
  const verdict = compareValues(a.claim.value, b.claim.value)
  if (verdict === 'other_unit') return notComparable('other_unit')
  if (verdict === 'different') return decide(a, b, ground)
  if (ground.period === 'apart') return notComparable('other_period')
  return { relation: verdict, reason: verdict, score: 1 }
}

export function judge(a: Claim, b: Claim): Judgement {
  return judgePrepared(prepare(a), prepare(b))
}
