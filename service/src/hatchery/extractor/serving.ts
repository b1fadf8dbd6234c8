/** The side of the child: it reads one file from its channel, answers, and exits. */
import { readFileSync, writeSync } from 'node:fs'
import type { Extraction } from '../../domain/file-layout.ts'
import { lowerPriority, NICE_ARGUMENT } from '../sandbox/nice.ts'
import { decodeFile, encodeExtraction } from './wire.ts'
import type { FileTask } from './wire.ts'

const CHANNEL = 3

export async function serveExtraction(handle: (task: FileTask) => Promise<Extraction>): Promise<void> {
  if (process.argv.includes(NICE_ARGUMENT)) lowerPriority()
  const answer = encodeExtraction(await handle(decodeFile(readFileSync(CHANNEL))))
  for (let sent = 0; sent < answer.length;) sent += writeSync(CHANNEL, answer, sent)
}
