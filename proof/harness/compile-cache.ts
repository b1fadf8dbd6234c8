/** A proof starts the service some thirty times; what Node compiled for the first start, the others need not again. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Hands `work` the environment that makes a process share what it compiled, for as long as the work goes on. */
export async function withCompileCache<Result>(
  work: (env: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'concord-compiled-'))
  try {
    return await work({ NODE_COMPILE_CACHE: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
