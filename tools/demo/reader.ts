/** The reader of the demo: recorded answers of a language model, the model that the environment names, or rules. */
import { join, resolve } from 'node:path'
import { ENTRY } from '../dev/entry.ts'
import { startChild } from '../launch/index.ts'
import { startRecorder } from '../model/index.ts'
import type { Recorder } from '../model/index.ts'

type Env = Readonly<Record<string, string>>

export interface DemoReading {
  /** The environment of the service. */
  readonly env: Env
  /** For `concord demo`. */
  readonly args: readonly string[]
  /** Resolves with the reason if an answer is missing and the demo is not done long after it was asked for. */
  readonly missing: Promise<string>
  stop(): Promise<void>
}

const ANSWERS = join(import.meta.dirname, 'answers')
const RECORDED = 'November 2026'
/** A document that an interrupted demo left behind may ask for other answers, and is no reason to end; this demo would be done by then. */
const STUCK_AFTER_MS = 60_000
const LONGEST_TIMEOUT_MS = '600000'

/** `record` is a directory to which requests without an answer are written, to wait for one there. */
export async function openReading(
  reader: 'model' | 'rules',
  env: Env,
  record: string | undefined,
): Promise<DemoReading> {
  if (record !== undefined) return recordAnswers(env, record)
  if (reader === 'rules') return { ...NOTHING_TO_STOP, env: withoutModel(env), args: ['--reader', 'rules'] }
  return env['MODEL_URL'] ? openOwnModel(env) : replayAnswers(env)
}

const NOTHING_TO_STOP = { missing: new Promise<string>(() => undefined), stop: async () => undefined }

function withoutModel(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MODEL_')))
}

interface Check {
  readonly name: string
  readonly verdict: 'ok' | 'warn' | 'fail'
  readonly found: string
  readonly advice: string | null
}

/** Throws where the model cannot be used: documents would wait for it without a word. */
async function openOwnModel(env: Env): Promise<DemoReading> {
  const checks = await runDoctor(env)
  const fault = checks.find(({ name, verdict }) => ASKED.has(name) && verdict !== 'ok')
  if (fault) throw new Error(`The language model at ${env['MODEL_URL']}: ${fault.found}; ${fault.advice}.`)
  return { ...NOTHING_TO_STOP, env, args: ['--reader', 'model'] }
}

/** The doctor asks the model one small question. What else it looks at is not started yet. */
const ASKED: ReadonlySet<string> = new Set(['configuration', 'model'])

async function runDoctor(env: Env): Promise<readonly Check[]> {
  const doctor = startChild({ command: process.execPath, args: [ENTRY, 'doctor', '--json'], env })
  await doctor.exited
  try {
    return (JSON.parse(doctor.stdout()) as { readonly checks: readonly Check[] }).checks
  } catch {
    throw new Error(doctor.output())
  }
}

async function replayAnswers(env: Env): Promise<DemoReading> {
  const { promise: missing, resolve: end } = Promise.withResolvers<string>()
  const report = (line: string) => void setTimeout(end, STUCK_AFTER_MS, line).unref()
  const recorder = await startRecorder({ dir: ANSWERS, replay: true, hold: true, report })
  return { ...readingFrom(recorder, withoutModel(env)), missing }
}

async function recordAnswers(env: Env, dir: string): Promise<DemoReading> {
  const recorder = await startRecorder({
    dir: resolve(dir),
    report: (line) => void process.stderr.write(`${line}\n`),
  })
  return readingFrom(recorder, { ...withoutModel(env), MODEL_TIMEOUT_MS: LONGEST_TIMEOUT_MS })
}

function readingFrom(recorder: Recorder, env: Env): DemoReading {
  return {
    ...NOTHING_TO_STOP,
    env: { ...env, MODEL_URL: recorder.url, MODEL_NAME: 'recorded' },
    args: ['--reader', 'model', '--recorded', RECORDED],
    stop: () => recorder.stop(),
  }
}
