/**
 * Asks a model about each window of a plan, several at a time. If an answer is poor, it asks again and keeps the better
 * answer.
 */
import type { LocatedClaim } from '../domain/claim.ts'
import { ModelFailure } from '../domain/model.ts'
import type { AskModel } from '../domain/model.ts'
import type { Span } from '@concord/reading/src/format.ts'
import { createQuoteSearch } from './anchor.ts'
import type { FindQuote } from './anchor.ts'
import { extractionRequest, readExtraction } from './extract.ts'
import type { ExtractedClaim } from './extract.ts'
import { toClaim } from './normalise.ts'
import type { ReadingPlan } from './plan.ts'
import { describeWindow } from './window-content.ts'
import { countWords, halveWindow } from './windows.ts'
import type { TextWindow } from './windows.ts'

export interface WindowReading {
  readonly span: Span
  readonly isRead: boolean
  /** The name of the model that answered; null without an answer. */
  readonly model: string | null
  readonly claims: readonly LocatedClaim[]
  /** The number of claims that were dropped: invalid, or with a quote that is not in the window. */
  readonly dropped: number
}

/** The maximum of requests in flight for one document. */
const maxConcurrent = 8

export async function readWindows(
  plan: ReadingPlan,
  ask: AskModel,
  signal: AbortSignal | undefined,
): Promise<WindowReading[]> {
  const readings: WindowReading[][] = plan.windows.map(() => [])
  const stop = new AbortController()
  const both = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  const queue = plan.windows.entries()
  const readNext = async (): Promise<void> => {
    const next = queue.next()
    if (next.done === true) return
    both.throwIfAborted()
    const [index, window] = next.value
    readings[index] = await readWindow(plan, window, (request) => ask(request, both))
    await readNext()
  }
  const lanes = Array.from({ length: Math.min(maxConcurrent, plan.windows.length) }, readNext)
  try {
    await Promise.all(lanes)
  } catch (error) {
    stop.abort()
    await Promise.allSettled(lanes)
    throw error
  }
  return readings.flat()
}

async function readWindow(plan: ReadingPlan, window: TextWindow, ask: AskModel): Promise<WindowReading[]> {
  try {
    return [await readWhole(plan, window, ask)]
  } catch (error) {
    if (!(error instanceof ModelFailure) || !error.isAboutRequest) throw error
    const halves = error.reason === 'too_long' ? halveWindow(plan.readable, plan.structure, window) : null
    if (halves === null) return [unreadWindow(window, null)]
    const readings = await Promise.all(halves.map((half) => readWindow(plan, half, ask)))
    return readings.flat()
  }
}

function unreadWindow({ span }: TextWindow, model: string | null): WindowReading {
  return { span, isRead: false, model, claims: [], dropped: 0 }
}

/** If more than this share of the claims is dropped, the window is asked about once more. */
const maxLoss = 1 / 5

async function readWhole(plan: ReadingPlan, window: TextWindow, ask: AskModel): Promise<WindowReading> {
  const first = await askOnce(plan, window, ask, 1)
  const total = first.claims.length + first.dropped
  if (first.isRead && first.dropped <= total * maxLoss) return first
  const second = await askOnce(plan, window, ask, 2)
  const isBetter = second.isRead && (!first.isRead || second.claims.length > first.claims.length)
  const better = isBetter ? second : first
  // Invented quotes say nothing about the text, so a window that gave nothing else is not read.
  return better.dropped > 0 && better.claims.length === 0 ? { ...better, isRead: false } : better
}

async function askOnce(
  plan: ReadingPlan,
  window: TextWindow,
  ask: AskModel,
  attempt: number,
): Promise<WindowReading> {
  const words = countWords(plan.readable, window.span)
  const content = describeWindow(plan, window)
  const request = extractionRequest(attempt === 1 ? content : { ...content, attempt }, words)
  const answer = await ask(request)
  const extraction = readExtraction(answer.content, words)
  if (extraction === null) return unreadWindow(window, answer.model)
  const claims = anchorClaims(plan, extraction.claims, createQuoteSearch(plan.readable, window.span), window)
  const lost = extraction.claims.length - claims.found
  return {
    span: window.span,
    isRead: true,
    model: answer.model,
    claims: claims.kept,
    // @point model.dropped-quotes
    dropped: lost + extraction.dropped,
  }
}

interface AnchoredClaims {
  readonly kept: readonly LocatedClaim[]
  /** How many quotes are in the text; a claim that says the same of the same words twice is kept once. */
  readonly found: number
}

function anchorClaims(
  { readable, day }: ReadingPlan,
  extracted: readonly ExtractedClaim[],
  find: FindQuote,
  { span: [start] }: TextWindow,
): AnchoredClaims {
  const kept = new Map<string, LocatedClaim>()
  let [near, found] = [start, 0]
  for (const each of extracted) {
    const span = find(each.quote, near)
    if (span === null) continue
    found += 1
    near = span[0]
    const key = JSON.stringify([span, each.statement, each.modality, each.value])
    if (!kept.has(key)) kept.set(key, toClaim(readable, each, span, day))
  }
  return { kept: [...kept.values()], found }
}
