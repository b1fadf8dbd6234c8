/**
 * `npm run demo`: from nothing to the first contradictions on the screen. Shows the case that ships with the project to the
 * service of `npm run dev`; where that does not run, it is started for as long as this takes. What was found stays.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readProfile, writeProfile } from './dev/profile.ts'
import { ENTRY } from './dev/entry.ts'
import { concordCommand, startDevApi } from './dev/processes.ts'
import { ensureServices } from './services/index.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

const services = await ensureServices({ report: print })
const profile = await readProfile(services, process.env)
const url = `http://127.0.0.1:${profile.env['PORT']}`
if (await isRunning()) await showDemo([])
else {
  // The secrets, so that whoever runs the service next can open what is stored now.
  await writeProfile(profile)
  await concordCommand(profile.env, 'migrate')
  const api = await startDevApi(profile.env)
  try {
    await showDemo(['--start-again', startCommand()])
  } finally {
    await api.stop()
  }
}

/** At the address that was shown. */
function startCommand(): string {
  const port = process.env['PORT']
  return port === undefined ? 'npm run dev' : `PORT=${port} npm run dev`
}

async function isRunning(): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined)
  return answer?.ok === true
}

async function showDemo(more: readonly string[]): Promise<void> {
  const args = [ENTRY, 'demo', '--url', url, ...more]
  const demo = spawn(process.execPath, args, { env: { ...process.env, ...profile.env }, stdio: 'inherit' })
  const [code] = (await once(demo, 'exit')) as [number | null]
  process.exitCode = code ?? 1
}
