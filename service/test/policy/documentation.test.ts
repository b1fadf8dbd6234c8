/** Tests that the examples of the page for authors of policies work as they stand there. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSituationTable } from '../../src/command/policy-situations.ts'
import { createPolicyEngine } from '../../src/policy/engine.ts'

const page = await readFile(join(import.meta.dirname, '../../../docs/reference/policies.md'), 'utf8')
const engine = createPolicyEngine()

const blocksOf = (language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, written, text = '']) =>
    written === language ? [text] : [],
  )

describe('docs/reference/policies.md', () => {
  it('shows policies that can be put in force', () => {
    const examples = blocksOf('cedar')
    expect(examples.length).toBeGreaterThanOrEqual(2)
    for (const text of examples) expect([text, engine.check(text)]).toEqual([text, []])
  })

  it('shows a table of situations that are decided as it says, by the policies above it', async () => {
    const table = blocksOf('json').find((text) => text.includes('"situations"')) ?? ''
    const folder = await mkdtemp(join(tmpdir(), 'concord-documentation-'))
    try {
      await writeFile(join(folder, 'house.cedar'), blocksOf('cedar')[0] ?? '')
      await writeFile(join(folder, 'situations.json'), table)
      const { texts, situations } = await readSituationTable(join(folder, 'situations.json'))
      const set = engine.load(texts)
      expect(situations.map(({ question }) => set.decide(question))).toMatchObject(
        situations.map(({ expected }) => expected),
      )
      expect(situations.length).toBeGreaterThan(0)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('names every policy that ships, and no other', () => {
    const named = new Set([...page.matchAll(/`default\/([a-z-]+)`/g)].map(([, id = '']) => id))
    const shipped = [...engine.defaultText.matchAll(/@id\("([^"]+)"\)/g)].map(([, id = '']) => id)
    expect([...named].toSorted()).toEqual(shipped.toSorted())
  })
})
