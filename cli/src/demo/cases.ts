/** The two cases that ship with the project: one in natural English for a language model, one in the wording that rules know. */
import { join } from 'node:path'
import { collectSources } from '../ingest/sources.ts'
import type { Sources } from '../ingest/sources.ts'

const demoReaders = ['model', 'rules'] as const

/** The reader of the documents: a language model, or rules. */
export type DemoReader = (typeof demoReaders)[number]

export interface DemoCase {
  readonly scopeId: string
  readonly displayName: string
  /** The subject of the documents, printed after their number. */
  readonly about: string
  /** A part of the name of the document that outweighs others, and why it does. */
  readonly trusted: { readonly document: string; readonly reason: string }
  /** Pairs of quotes that look like contradictions and are none. */
  readonly lookAlikes: readonly LookAlike[]
}

export interface LookAlike {
  readonly a: DocumentQuote
  readonly b: DocumentQuote
  readonly why: string
}

export interface DocumentQuote {
  readonly document: string
  readonly quote: string
}

export const demoCases: Readonly<Record<DemoReader, DemoCase>> = {
  model: {
    scopeId: 'tannery-bridge',
    displayName: 'Tannery Bridge',
    about: 'of a town that renovates its bridge: a contract, e-mails, minutes, a report, a chat, letters',
    trusted: { document: 'contract', reason: 'the contract decides' },
    lookAlikes: [
      {
        a: { document: 'progress-meeting-9.md', quote: 'New slab will be 22 cm thick' },
        b: { document: 'engineers-report.md', quote: 'The new deck slab, 220 mm thick' },
        why: 'the same thickness',
      },
      {
        a: { document: 'treasurer-memo.md', quote: 'By 30 June we had paid the contractor £1,940,000.' },
        b: {
          document: 'engineers-report.md',
          quote: 'Work to the value of £2,210,000 had been certified by 30 June',
        },
        why: 'payment follows the certificate by four weeks',
      },
      {
        a: { document: 'site-chat.txt', quote: '"Bridge to stay shut until Christmas"' },
        b: { document: 'treasurer-memo.md', quote: 'reopening is now planned for 25 October 2024' },
        why: 'the chat quotes a newspaper, to deny it',
      },
      {
        a: { document: 'press-release.md', quote: 'It is 71 metres long' },
        b: { document: 'letter-of-traders.txt', quote: 'which is all of forty metres long' },
        why: 'the letter speaks of another bridge',
      },
    ],
  },
  rules: {
    scopeId: 'project-clover',
    displayName: 'Project Clover',
    about: 'of somebody who wants to buy Larkfield Dairy Ltd, in the wording that rules know',
    trusted: { document: 'audited', reason: 'the accounts are audited' },
    lookAlikes: [],
  },
}

const FOLDER = join(import.meta.dirname, '..', '..', 'demo')

/** Known by their file names alone, wherever the project lies. */
export async function collectDemoSources({ scopeId }: DemoCase): Promise<Sources> {
  const folder = join(FOLDER, scopeId)
  const { sources, leftOut } = await collectSources([folder], folder)
  return { sources: sources.map((source) => ({ ...source, path: source.name })), leftOut }
}
