/** Where answers come from: recorded files behind a server of this process, or an endpoint that is asked now. Always by HTTP. */
import { join } from 'node:path'
import { MODEL_STEPS, ModelFailure } from '@concord/service/src/domain/model.ts'
import type { AskModel, ModelRequest, ModelStep } from '@concord/service/src/domain/model.ts'
import { createModelEndpoint } from '@concord/service/src/endpoint/model-endpoint.ts'
import { isWithinRequest } from '@concord/service/src/model/compare-within.ts'
import { requestHash } from '@concord/service/src/model/request-hash.ts'
import { openAnswerFiles, startRecorder } from '@concord/tools/model'
import type { StepUsage, Usage } from '../report.ts'

export interface AnswerSource {
  readonly ask: AskModel
  readonly about: string
  close(): Promise<void>
}

export interface LiveEndpoint {
  readonly url: string
  readonly apiKey: string | undefined
  readonly model: string
}

/** Thrown where an answer is not recorded. */
export class MissingAnswer extends Error {
  readonly step: ModelStep
  readonly hash: string

  constructor({ step }: ModelRequest, hash: string) {
    super(`no recorded answer to ${step} ${hash}`)
    this.step = step
    this.hash = hash
  }
}

const committed = join(import.meta.dirname, '../../answers')
/** A recorded answer is there at once; one that is written by hand may take hours. */
const timeouts = { replay: 60_000, record: 24 * 3_600_000, live: 600_000 } as const
const concurrency = { recorded: 5_000, live: 50 } as const

/** Answers that are committed. What is not among them is refused before anything is sent. */
export async function replayAnswers(dir = committed): Promise<AnswerSource> {
  const files = openAnswerFiles(dir)
  const recorder = await startRecorder({ dir, replay: true })
  const endpoint = connect(recorder.url, timeouts.replay)
  return {
    about: `${files.packed} recorded answers`,
    async ask(request, signal) {
      const hash = requestHash(request)
      if (files.find(hash) === undefined) throw new MissingAnswer(request, hash)
      return endpoint.ask(request, signal)
    },
    async close() {
      endpoint.close()
      await recorder.stop()
    },
  }
}

/** Writes requests to `DIR/requests` and waits for answers in `DIR/answers`. */
export async function recordAnswers(dir: string): Promise<AnswerSource> {
  const recorder = await startRecorder({ dir, report: (line) => void process.stderr.write(`${line}\n`) })
  const endpoint = connect(recorder.url, timeouts.record)
  return {
    about: `answers as they are written to ${dir}/answers`,
    ask: endpoint.ask,
    async close() {
      endpoint.close()
      await recorder.stop()
    },
  }
}

export function askLive({ url, apiKey, model }: LiveEndpoint): AnswerSource {
  const endpoint = createModelEndpoint({
    url,
    apiKey,
    nameOf: () => model,
    format: 'json_schema',
    timeoutMs: timeouts.live,
    concurrency: concurrency.live,
  })
  return { about: `answers of ${model}, asked now`, ask: endpoint.ask, close: async () => endpoint.close() }
}

function connect(url: string, timeoutMs: number) {
  return createModelEndpoint({
    url,
    apiKey: undefined,
    nameOf: () => 'recorded',
    format: 'json_schema',
    timeoutMs,
    concurrency: concurrency.recorded,
  })
}

const noUsage: Readonly<StepUsage> = { requests: 0, inputTokens: 0, outputTokens: 0 }

export function emptyUsage(): Usage {
  return { extract: { ...noUsage }, compare: { ...noUsage }, verify: { ...noUsage } }
}

export interface AskedWithin {
  readonly ask: AskModel
  /** Requests about contradictions inside documents that had no recorded answer. */
  unanswered(): number
}

/** The same function, but that a missing answer about the inside of one document is counted, and declines nothing but that request. */
export function declineUnanswered(ask: AskModel): AskedWithin {
  let count = 0
  return {
    unanswered: () => count,
    async ask(request, signal) {
      try {
        return await ask(request, signal)
      } catch (error) {
        if (!(error instanceof MissingAnswer) || !isWithinRequest(request)) throw error
        count += 1
        throw new ModelFailure('declined')
      }
    },
  }
}

/** The same function, with what it took added to `usage`. */
export function meter(ask: AskModel, usage: Usage): AskModel {
  return async (request, signal) => {
    const answer = await ask(request, signal)
    const step = usage[request.step]
    step.requests += 1
    step.inputTokens += answer.usage.inputTokens
    step.outputTokens += answer.usage.outputTokens
    return answer
  }
}

export function addUsage(all: readonly Usage[]): Usage {
  const total = emptyUsage()
  for (const usage of all)
    for (const step of MODEL_STEPS) {
      total[step].requests += usage[step].requests
      total[step].inputTokens += usage[step].inputTokens
      total[step].outputTokens += usage[step].outputTokens
    }
  return total
}
