// npm run model: a server that speaks OpenAI's chat completions and answers from recorded files.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packAnswers } from './model/pack.ts'
import { startRecorder } from './model/recorder.ts'

const USAGE = `Usage: npm run model -- [serve | pack] --dir DIR [options]

  serve           answer chat completions from DIR/answers/HASH.json and DIR/*.jsonl.gz (the default). A request without an answer
                  is written to DIR/requests/HASH.json and waits until DIR/answers/HASH.json is there:
                  {"model": "NAME", "content": {…}}
  --replay        answer 503 instead of waiting
  --port N        listen on this port of 127.0.0.1; default 8091, and 0 for any

  pack            write all of DIR/answers into one compressed file
  --out FILE      for instance DIR/NAME.jsonl.gz
  --model NAME    the model of answers that name none
  --recorded DAY  the day of recording, as 2026-11-18; default: the day on which each answer was written`

const DEFAULT_PORT = '8091'

const options = {
  dir: { type: 'string' },
  replay: { type: 'boolean', default: false },
  port: { type: 'string', default: DEFAULT_PORT },
  out: { type: 'string' },
  model: { type: 'string' },
  recorded: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  if (values.help) return console.log(USAGE)
  const [command = 'serve', ...others] = positionals
  if (values.dir === undefined || others.length > 0) throw new Error(USAGE)
  const dir = resolve(values.dir)
  if (command === 'serve') return serve(dir, values.replay, Number(values.port))
  if (command !== 'pack' || values.out === undefined) throw new Error(USAGE)
  const { out, model, recorded } = values
  if (recorded !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(recorded)) throw new Error(USAGE)
  const count = packAnswers({ dir, out: resolve(out), model, recorded })
  console.log(`${count} answers packed into ${out}`)
}

async function serve(dir: string, replay: boolean, port: number): Promise<void> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(USAGE)
  const recorder = await startRecorder({ dir, replay, port, report: (line) => console.error(line) })
  console.log(`MODEL_URL=${recorder.url}`)
  console.error(
    `${recorder.packed} packed answers; ${replay ? 'others get 503' : `requests wait in ${dir}/requests`}`,
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void recorder.stop())
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
