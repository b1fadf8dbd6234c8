import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { crashesOf } from '../harness/report.ts'

it('finds the crashes of a server in its log, and not what it was asked to end', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'concord-report-'))
  const crash = 'LOG:  client backend (PID 7) was terminated by signal 11: Segmentation fault'
  try {
    const file = join(dir, 'postgres.log')
    await writeFile(
      file,
      `LOG:  starting\n${crash}\nLOG:  process (PID 8) was terminated by signal 9: Killed\n`,
    )
    expect(await crashesOf(file)).toEqual([crash])
    expect(await crashesOf(join(dir, 'none'))).toEqual([])
  } finally {
    await rm(dir, { recursive: true })
  }
})
