/** From a folder of twelve documents to a report, at a real terminal that is narrow or wide: everything fits and can be told apart. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, vi } from 'vitest'
import { LONG_NAME, writeClinicCase } from './support/clinic-case.ts'
import { openPseudoTerminal } from './support/pseudo-terminal.ts'
import { COMMAND, useWorld } from './support/service.ts'

vi.setConfig({ testTimeout: 300_000 })

const world = useWorld()

it('has a text of more than 300,000 characters', async () => {
  expect(await writeClinicCase(join(world().home, 'case'))).toBeGreaterThan(300_000)
})

/** Returns the lines that the screen shows in the end, without the pictures of progress that were drawn over. */
async function show(columns: number, ...args: string[]): Promise<string[]> {
  const sized = [
    '/bin/sh',
    '-c',
    `stty cols ${columns} rows 40; exec "$@"`,
    'sh',
    process.execPath,
    COMMAND,
    ...args,
  ]
  const terminal = openPseudoTerminal(sized, {
    env: { HOME: world().home, ...world().env },
    cwd: world().home,
  })
  const code = await terminal.exited
  const screen = terminal.screen().split('\u001B[J').at(-1) ?? ''
  if (code !== 0) throw new Error(screen)
  return stripVTControlCharacters(screen).trimEnd().split('\r\n')
}

it.each([80, 120])('a case goes from files to a report in %s columns', async (columns) => {
  const scope = `clinic-${columns}`
  await show(columns, 'scopes', 'create', scope, '--display-name', 'Sale of Harbour Clinic Ltd')
  const ingested = await show(columns, 'ingest', 'case', '--scope', scope)
  expect(ingested).toContain('12 documents processed, all read whole')
  const shown = {
    summary: await show(columns, 'summary', scope),
    documents: await show(columns, 'documents', 'list', scope),
    claims: await show(columns, 'claims', scope),
    contradictions: await show(columns, 'contradictions', 'list', scope),
  }
  for (const line of Object.values(shown).flat()) {
    expect(Array.from(line).length).toBeLessThanOrEqual(columns)
    expect(line).not.toMatch(/\p{Cc}/u)
  }
  const ids = shown.documents.slice(1).map((line) => line.split(/ {2,}/)[0])
  expect(new Set(ids).size).toBe(12)
  const lease = shown.contradictions.find((line) => line.includes(LONG_NAME.slice(0, 20)))
  expect(lease).toMatch(/: \S/)
  expect(shown.summary.filter((line) => /contradiction open: \w+ \w+/.test(line))).not.toEqual([])

  const written = await show(columns, 'report', scope, '--output', `${scope}.html`)
  expect(written).toEqual([expect.stringMatching(/^clinic-\d+\.html: \d+ contradictions, 12 documents$/)])
  const report = await readFile(join(world().home, `${scope}.html`), 'utf8')
  for (const quote of ['EUR 12.4m', '4 September 2025', 'EUR 19.2m', '62'])
    expect(report).toContain(`>${quote}</mark>`)
})
