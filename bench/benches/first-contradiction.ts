/** How long a newcomer waits: a clone of what is committed, then the words of the README, until a contradiction is quoted. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort, runChild, withFolder } from '@concord/tools/launch'
import type { Bench } from '../src/bench.ts'

const REPOSITORY = join(import.meta.dirname, '..', '..')
const BOUND_SECONDS = 300
/** Both quotes of a contradiction beside each other begin so. */
const QUOTED = /characters \d+ to \d+/

export const firstContradiction: Bench = {
  name: 'first-contradiction',
  measures: 'seconds from npm ci in a clean clone to the first quoted contradiction on the screen',
  async run({ print }) {
    await withFolder('clone', async (clone) => {
      await runChild({
        command: 'git',
        args: ['clone', '--quiet', REPOSITORY, join(clone, 'concord')],
        env: process.env,
      })
      const cwd = join(clone, 'concord')
      const started = performance.now()
      const seconds = () => (performance.now() - started) / 1000
      try {
        await runChild({ command: 'npm', args: ['ci'], env: process.env, cwd })
        print(`npm ci: ${seconds().toFixed(0)} s`)
        await untilQuoted(cwd)
        print(`npm run demo, to the first quote: ${seconds().toFixed(0)} s`)
      } finally {
        await runChild({ command: 'npm', args: ['run', 'services', '--', 'stop'], env: process.env, cwd })
      }
      const share = seconds() / BOUND_SECONDS
      print(`ratio to the five minutes that it may take: ${share.toFixed(2)} (<= 1)`)
      if (share > 1) process.exitCode = 1
    })
  },
}

async function untilQuoted(cwd: string): Promise<void> {
  const env = { ...process.env, PORT: String(await freePort()) }
  const demo = spawn('npm', ['run', 'demo'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(demo, 'exit')
  let shown = ''
  const quoted = new Promise<void>((resolve) => {
    const look = (chunk: Buffer) => {
      shown += chunk.toString()
      if (QUOTED.test(shown)) resolve()
    }
    demo.stdout.on('data', look)
    demo.stderr.on('data', look)
  })
  await Promise.race([quoted, exited])
  await exited
  if (!QUOTED.test(shown)) throw new Error(`No contradiction was shown:\n${shown}`)
}
