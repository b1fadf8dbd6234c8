/** Packs the answers of a directory into one compressed file that can be committed: the same answers give the same bytes. */
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readJson } from '../services/secret-file.ts'
import { listHashes, readAnswer } from './answers.ts'
import type { PackedAnswer } from './answers.ts'
import { isRecord } from './protocol.ts'

export interface PackOptions {
  readonly dir: string
  readonly out: string
  /** The name of the model for answers that do not tell it. */
  readonly model?: string | undefined
  /** The day of recording; otherwise the day on which each file was written. */
  readonly recorded?: string | undefined
}

/** Returns how many answers were packed. Throws, and writes nothing, where one cannot be used. */
export function packAnswers(options: PackOptions): number {
  const answersDir = join(options.dir, 'answers')
  const hashes = existsSync(answersDir) ? listHashes(answersDir) : []
  if (hashes.length === 0) throw new Error(`There is no answer in ${answersDir}.`)
  const lines = hashes.map((hash) => `${JSON.stringify(packAnswer(options, answersDir, hash))}\n`)
  const draft = `${options.out}.${process.pid}.new`
  writeFileSync(draft, compress(lines.join('')))
  renameSync(draft, options.out)
  return hashes.length
}

function packAnswer(options: PackOptions, answersDir: string, hash: string): PackedAnswer {
  const file = join(answersDir, `${hash}.json`)
  const answer = readAnswer(file) ?? { invalid: 'it is gone' }
  if ('invalid' in answer) throw new Error(`${file} cannot be used: ${answer.invalid}.`)
  const model = answer.model ?? options.model
  if (model === undefined) throw new Error(`${file} names no model: add --model NAME.`)
  const recorded = options.recorded ?? statSync(file).mtime.toISOString().slice(0, 10)
  const { content, usage } = answer
  return { hash, step: stepOf(options.dir, hash), model, recorded, content, ...(usage && { usage }) }
}

/** Null where the request is no longer there. */
function stepOf(dir: string, hash: string): string | null {
  const request = readJson(join(dir, 'requests', `${hash}.json`))
  return isRecord(request) && typeof request['step'] === 'string' ? request['step'] : null
}

const OPERATING_SYSTEM_BYTE = 9
const UNKNOWN_SYSTEM = 255

/** The header of gzip names the operating system, which says nothing about the answers. */
function compress(text: string): Buffer {
  const packed = gzipSync(text, { level: 9 })
  packed[OPERATING_SYSTEM_BYTE] = UNKNOWN_SYSTEM
  return packed
}
