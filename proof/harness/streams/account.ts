/**
 * Compares the entries that a reader has received with what it should have: nothing missing, nothing twice, nothing out of order, and
 * every event telling what the database tells. Pure, so that it can be shown to notice each of these.
 */
import { sumOf } from '../statistics.ts'

export type DeliveryLedger = ReturnType<typeof createAccount>

export interface LogLine {
  readonly id: string
  readonly kind: string
  readonly subject: string
}

export type DeliveryDifference = ReturnType<typeof differenceOf>

export function createAccount() {
  const ids: string[] = []
  let print = 0
  return {
    /** Ids in the order of their arrival. */
    ids: ids as readonly string[],
    /** A fingerprint of everything received, in whatever order. */
    get print() {
      return print
    },
    note(id: string, kind: string, subject: string) {
      ids.push(id)
      print = add(print, `${id} ${kind} ${subject}`)
    },
  }
}

export function differenceOf(expected: readonly LogLine[], { ids, print }: DeliveryLedger) {
  const placeOf = new Map(expected.map(({ id }, place) => [id, place]))
  const seen = new Set<string>()
  let duplicate = 0
  let disordered = 0
  let strange = 0
  let highest = -1
  for (const id of ids) {
    const place = placeOf.get(id)
    if (place === undefined) strange += 1
    else if (seen.has(id)) duplicate += 1
    else {
      seen.add(id)
      if (place < highest) disordered += 1
      highest = Math.max(highest, place)
    }
  }
  const missing = expected.length - seen.size
  const isWhole = missing + duplicate + disordered + strange === 0
  // Same ids in the same order, but not the same events.
  const altered = isWhole && print !== printOf(expected)
  return { missing, duplicate, disordered, strange, altered: Number(altered) }
}

/** The differences of several readers together. */
export function addUp(differences: readonly DeliveryDifference[]): DeliveryDifference {
  const total = (name: keyof DeliveryDifference) => sumOf(differences, (difference) => difference[name])
  return {
    missing: total('missing'),
    duplicate: total('duplicate'),
    disordered: total('disordered'),
    strange: total('strange'),
    altered: total('altered'),
  }
}

function printOf(lines: readonly LogLine[]): number {
  return lines.reduce((print, { id, kind, subject }) => add(print, `${id} ${kind} ${subject}`), 0)
}

function add(print: number, text: string): number {
  return (print + hashOf(text)) >>> 0
}

/** FNV-1a: cheap enough for millions of events; nobody here wants to deceive it. */
function hashOf(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
