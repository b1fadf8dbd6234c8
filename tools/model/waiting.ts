/**
 * Requests that wait until somebody writes the answer. One watch and one timer serve all of them; the timer covers file systems
 * that report no changes.
 */
import { watch } from 'node:fs'
import type { AnswerFiles } from './answers.ts'
import type { RecordedAnswer } from './protocol.ts'

export interface WaitingRequests {
  /** How many requests wait. */
  size(): number
  /** Calls back once, when the answer is there. Returns how to give up. */
  wait(hash: string, onAnswer: (answer: RecordedAnswer) => void): () => void
  close(): void
}

const POLL_MS = 250

export function createWaitingRequests(files: AnswerFiles, report: (line: string) => void): WaitingRequests {
  const waiting = new Map<string, Set<(answer: RecordedAnswer) => void>>()
  const faults = new Map<string, { readonly why: string; seen: number }>()

  function look(): void {
    if (waiting.size === 0) return
    const written = files.listWritten()
    for (const hash of waiting.keys()) if (written.has(hash)) deliver(hash)
  }

  /** An answer that cannot be used keeps the request waiting: it may be half written, or a person corrects it. */
  function deliver(hash: string): void {
    const answer = files.find(hash)
    if (answer === undefined) return
    if ('invalid' in answer) return noteFault(hash, answer.invalid)
    const callbacks = waiting.get(hash) ?? []
    waiting.delete(hash)
    faults.delete(hash)
    for (const onAnswer of callbacks) onAnswer(answer)
  }

  /** Reports a fault when it is seen for the second time: at the first the file may be in the middle of being written. */
  function noteFault(hash: string, why: string): void {
    const known = faults.get(hash)
    const fault = known?.why === why ? known : { why, seen: 0 }
    faults.set(hash, fault)
    fault.seen += 1
    if (fault.seen === 2)
      report(`answers/${hash}.json cannot be used: ${why}. Correct it; the request still waits.`)
  }

  const watcher = watch(files.answersDir, look)
  // A watch that breaks leaves the timer.
  watcher.on('error', () => watcher.close())
  const timer = setInterval(look, POLL_MS)

  return {
    size: () => [...waiting.values()].reduce((sum, callbacks) => sum + callbacks.size, 0),
    wait(hash, onAnswer) {
      const callbacks = waiting.get(hash) ?? new Set()
      waiting.set(hash, callbacks.add(onAnswer))
      return () => {
        if (callbacks.delete(onAnswer) && callbacks.size === 0) waiting.delete(hash)
      }
    },
    close() {
      clearInterval(timer)
      watcher.close()
    },
  }
}
