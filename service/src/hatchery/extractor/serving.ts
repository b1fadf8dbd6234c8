/** The side of the child: reads one file from its channel, answers, and ends. */
import { readFileSync, writeSync } from 'node:fs'
import type { Extraction } from '../../domain/file-layout.ts'
import { giveWay, GIVES_WAY } from '../sandbox/courtesy.ts'
import { decodeFile, encodeExtraction } from './wire.ts'
import type { FileTask } from './wire.ts'

const CHANNEL = 3

export async function serveExtraction(handle: (task: FileTask) => Promise<Extraction>): Promise<void> {
  if (process.argv.includes(GIVES_WAY)) giveWay()
  const answer = encodeExtraction(await handle(decodeFile(readFileSync(CHANNEL))))
  for (let sent = 0; sent < answer.length;) sent += writeSync(CHANNEL, answer, sent)
}
