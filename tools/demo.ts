/**
 * `npm run demo`: from nothing to the first contradictions on the screen. Shows a case that ships with the project to the service
 * of `npm run dev`; where that does not run, it is started for as long as this takes, with recorded answers of a language model
 * unless MODEL_URL names one. What was found stays.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { ENTRY } from './dev/entry.ts'
import { portOf, requireFreePort } from './dev/port.ts'
import { concordCommand, startDevApi } from './dev/processes.ts'
import { readProfile, writeProfile } from './dev/profile.ts'
import type { DevProfile } from './dev/profile.ts'
import { watchStarters } from './dev/starters.ts'
import { openReading } from './demo/reader.ts'
import { findRunning } from './demo/running.ts'
import type { RunningService } from './demo/running.ts'
import { freePort } from './launch/index.ts'
import { ensureServices } from './services/index.ts'

type Env = Readonly<Record<string, string>>
type Reader = RunningService['reader']

const USAGE = `Usage: npm run demo -- [--reader model|rules] [--record DIR]

  --reader model  documents in natural English, read with recorded answers of a language model, or by the model that
                  MODEL_URL, MODEL_NAME and MODEL_API_KEY name (the default)
  --reader rules  documents in the wording that rules know, read by rules
  --record DIR    write each request to DIR/requests and wait for its answer in DIR/answers: see tools/model/README.md`

const RECORD_AGAIN =
  'The requests of this version are not those that were recorded: see tools/model/README.md.'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const print = (line: string) => void process.stdout.write(`${line}\n`)

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { reader, record, help } = readOptions()
  if (help) return print(USAGE)
  if (reader !== undefined && reader !== 'model' && reader !== 'rules') throw new Error(USAGE)
  print('Starting Postgres, NATS and the service; this takes some ten seconds.')
  const profile = await readProfile(await ensureServices({ report: print }), process.env)
  const running = await findRunning(addressOf(profile.env), profile)
  if (running) await showRunning(profile, running, reader)
  else await showStarted(profile, reader ?? 'model', record)
}

function readOptions() {
  const text = { type: 'string' } as const
  return parseArgs({ options: { reader: text, record: text, help: { type: 'boolean' } } }).values
}

function addressOf(env: Env): string {
  return `http://127.0.0.1:${env['PORT']}`
}

async function showRunning(
  { env }: DevProfile,
  { url, reader }: RunningService,
  wanted: Reader | undefined,
): Promise<void> {
  const has = `The service of npm run dev at ${url} reads with ${reader === 'rules' ? 'rules' : 'a language model'}`
  if (wanted !== undefined && wanted !== reader)
    throw new Error(`${has}. Stop it, and run this again to see the other reader.`)
  if (reader === 'rules')
    print(
      `${has}, and so does this demo. Stop it, and run this again to see documents read by a language model.`,
    )
  await showDemo(env, ['--url', url, '--reader', reader])
}

async function showStarted(profile: DevProfile, reader: Reader, record: string | undefined): Promise<void> {
  // The secrets, so that whoever runs the service next can open what is stored now.
  await writeProfile(profile)
  const port = await choosePort()
  const quiet = process.env['LOG_LEVEL'] === undefined ? { LOG_LEVEL: 'error' } : {}
  const reading = await openReading(reader, { ...profile.env, ...quiet, PORT: port }, record)
  try {
    await concordCommand(reading.env, 'migrate')
    const api = await startDevApi(reading.env)
    try {
      const args = ['--url', api.url, ...reading.args, '--start-again', startCommand(port)]
      await showDemo(reading.env, args, reading.missing)
    } finally {
      await api.stop()
    }
  } finally {
    await reading.stop()
  }
}

/** That of the environment, or any where it names none and the usual one is in use. */
async function choosePort(): Promise<string> {
  const port = portOf(process.env)
  try {
    await requireFreePort(port)
    return port
  } catch (error) {
    if (process.env['PORT'] !== undefined) throw error
    return String(await freePort())
  }
}

/** At the address that was shown. */
function startCommand(port: string): string {
  return portOf({}) === port ? 'npm run dev' : `PORT=${port} npm run dev`
}

/** Ends at once with the reason if an answer is missing: the documents would wait for it. */
async function showDemo(env: Env, args: readonly string[], missing?: Promise<string>): Promise<void> {
  const command = [ENTRY, 'demo', ...args]
  const demo = spawn(process.execPath, command, { env: { ...process.env, ...env }, stdio: 'inherit' })
  // All in the terminal get Ctrl-C; whoever signals this process alone means the demo.
  const stop = () => void demo.kill('SIGTERM')
  for (const signal of SIGNALS) process.once(signal, stop)
  watchStarters(process.env, stop)
  const exited = once(demo, 'exit') as Promise<[number | null]>
  const fault = await Promise.race([exited.then(() => undefined), ...(missing ? [missing] : [])])
  if (fault !== undefined) demo.kill('SIGKILL')
  const [code] = await exited
  process.exitCode = code ?? 1
  if (fault !== undefined) throw new Error(`${fault}\n${RECORD_AGAIN}`)
}
