import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCases } from '../src/gold.ts'
import type { GoldCase, GoldPair } from '../src/gold.ts'

const home = join(import.meta.dirname, '..')

/** How often a text holds a quote; places that overlap count too. */
function countOf(text: string, quote: string): number {
  let count = 0
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) count += 1
  return count
}

/** Quotes of a pair, also the further places of its sides, that do not stand exactly once in their document. */
function ambiguousQuotes({ scope }: GoldCase, { id, a, b }: GoldPair): string[] {
  const texts = new Map(scope.documents.map((document) => [document.id, document.text]))
  return [...a.places, ...b.places].flatMap(({ document, start, end }) => {
    const text = texts.get(document) ?? ''
    const quote = text.slice(start, end)
    return countOf(text, quote) === 1 ? [] : [`${scope.name} ${id} ${document}: ${quote}`]
  })
}

function isBetweenDocuments({ a, b }: GoldPair): boolean {
  const own = new Set(a.places.map(({ document }) => document))
  return b.places.every(({ document }) => !own.has(document))
}

describe.each(['natural', 'languages'])('labels of the set %s', (name) => {
  const cases = readCases(join(home, name))
  const pairs = cases.flatMap((each) => [...each.findings, ...each.traps].map((pair) => ({ each, pair })))

  it('quote places that occur once', () => {
    expect(pairs.flatMap(({ each, pair }) => ambiguousQuotes(each, pair))).toEqual([])
  })

  it('are between documents', () => {
    expect(pairs.filter(({ pair }) => !isBetweenDocuments(pair)).map(({ pair }) => pair.id)).toEqual([])
  })

  it('have ids of their own in each case', () => {
    for (const { findings, traps } of cases) {
      const ids = [...findings, ...traps].map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  it('cover every document of the folder', () => {
    for (const { name: folder, scope } of cases) {
      const files = readdirSync(join(home, name, folder)).filter((file) => file !== 'gold.json')
      expect(scope.documents.map((document) => document.name).toSorted()).toEqual(files.toSorted())
    }
  })

  it('are counted in the README', () => {
    const readme = readFileSync(join(home, name, 'README.md'), 'utf8')
    for (const { name: folder, scope, findings, traps } of cases) {
      const row = readme.split('\n').find((line) => line.startsWith(`| ${folder.slice(-2)} |`))
      const counts = ['conflict', 'restatement', 'change'].map(
        (relation) => findings.filter((finding) => finding.relation === relation).length,
      )
      const cells = row?.split('|').slice(3, -1).map(Number)
      expect(cells).toEqual([scope.documents.length, ...counts, findings.length, traps.length])
    }
  })
})
