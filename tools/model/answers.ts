/**
 * Recorded answers on disk. `answers/HASH.json` holds one that a model or a person wrote; a file `*.jsonl.gz` holds many, packed
 * to be committed; `requests/HASH.json` says what was asked. A file in `answers` goes before a packed one.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isRecord } from './protocol.ts'
import type { ChatRequest, RecordedAnswer } from './protocol.ts'

/** One line of a packed file. */
export interface PackedAnswer {
  readonly hash: string
  readonly step: string | null
  readonly model: string
  /** The day on which it was recorded, as `2026-11-18`. */
  readonly recorded: string
  readonly content: unknown
  readonly usage?: RecordedAnswer['usage']
}

/** A file is there and is not an answer, or not yet. */
export interface InvalidAnswer {
  readonly invalid: string
}

export interface AnswerFiles {
  readonly answersDir: string
  /** How many packed answers there are. */
  readonly packed: number
  find(hash: string): RecordedAnswer | InvalidAnswer | undefined
  /** Hashes for which there is a file in `answers`. */
  listWritten(): Set<string>
  /** Writes what is asked, whole or not at all. The name in it is `step`, `messages` and `schema`. */
  writeRequest(request: ChatRequest): void
}

const SUFFIX = '.json'

export function openAnswerFiles(dir: string): AnswerFiles {
  const [answersDir, requestsDir] = [join(dir, 'answers'), join(dir, 'requests')]
  mkdirSync(answersDir, { recursive: true })
  const packed = readPackedFiles(dir)
  return {
    answersDir,
    packed: packed.size,
    find: (hash) => readAnswer(join(answersDir, hash + SUFFIX)) ?? packed.get(hash),
    listWritten: () => new Set(listHashes(answersDir)),
    writeRequest({ hash, step, schemaName, messages, schema }) {
      mkdirSync(requestsDir, { recursive: true })
      const file = join(requestsDir, hash + SUFFIX)
      const draft = `${file}.${process.pid}.new`
      writeFileSync(draft, `${JSON.stringify({ hash, step, schemaName, messages, schema }, null, 2)}\n`)
      renameSync(draft, file)
    },
  }
}

export function listHashes(dir: string): string[] {
  const names = readdirSync(dir).filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
  return names.map((name) => name.slice(0, -SUFFIX.length)).toSorted()
}

/** Undefined where there is no such file. */
export function readAnswer(file: string): RecordedAnswer | InvalidAnswer | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return parseAnswer(JSON.parse(text))
  } catch {
    return { invalid: 'it is not JSON' }
  }
}

function parseAnswer(value: unknown): RecordedAnswer | InvalidAnswer {
  if (!isRecord(value)) return { invalid: 'it is not a JSON object' }
  const { model, content, usage } = value
  if (content === undefined || content === null) return { invalid: 'content is missing' }
  if (model !== undefined && typeof model !== 'string') return { invalid: 'model is not text' }
  if (usage !== undefined && !isUsage(usage))
    return { invalid: 'usage needs prompt_tokens and completion_tokens, or leave it out' }
  return { model, content, usage }
}

function isUsage(usage: unknown): usage is NonNullable<RecordedAnswer['usage']> {
  return isRecord(usage) && isCount(usage['prompt_tokens']) && isCount(usage['completion_tokens'])
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** Where two files have the same hash, the one whose name sorts last counts. */
function readPackedFiles(dir: string): Map<string, RecordedAnswer> {
  const packed = new Map<string, RecordedAnswer>()
  const names = readdirSync(dir).filter((name) => name.endsWith('.jsonl.gz'))
  for (const name of names.toSorted())
    for (const { hash, model, content, usage } of readPacked(join(dir, name)))
      packed.set(hash, { model, content, usage })
  return packed
}

/** Throws where a line is not an answer: what is committed must be whole. */
function readPacked(file: string): PackedAnswer[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n')
  return lines.filter((line) => line !== '').map((line, at) => parsePacked(line, `${file}, line ${at + 1}`))
}

function parsePacked(line: string, place: string): PackedAnswer {
  const value: unknown = JSON.parse(line)
  const answer = parseAnswer(value)
  if ('invalid' in answer) throw new Error(`${place}: ${answer.invalid}`)
  const { hash, model } = value as PackedAnswer
  if (typeof hash !== 'string' || typeof model !== 'string')
    throw new Error(`${place}: hash or model is missing`)
  return value as PackedAnswer
}
