/** The whole API in this process, on a free port, wired as the real one is. */
import { startApi } from '../../src/main/api.ts'
import { testConfig } from './config.ts'
import type { TestDatabase } from './database.ts'
import { createMemoryLog } from './log.ts'
import type { MemoryLog } from './log.ts'
import { masterKeys, pepper } from './people.ts'

export interface TestApi {
  readonly address: string
  readonly log: MemoryLog
  call(path: string, init?: RequestInit): Promise<ApiAnswer>
  stop(): Promise<void>
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

/** With the secrets of `people.ts`, so that the tenants made there are known here. */
export async function startTestApi(
  database: TestDatabase,
  extra: Readonly<Record<string, string>> = {},
): Promise<TestApi> {
  const log = createMemoryLog()
  const secrets = {
    KEY_PEPPER: pepper.toString('base64'),
    MASTER_KEY: masterKeys.map(({ id, bytes }) => `${id}:${bytes.toString('base64')}`).join(),
  }
  const { address, stop } = await startApi(testConfig(database, { ...secrets, ...extra }), log.log)
  return { address, log, stop, call: (path, init) => callApi(address + path, init) }
}

export async function callApi(url: string, init: RequestInit = {}): Promise<ApiAnswer> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : {} }
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

export function jsonBody(value: unknown): { method: string; body: string; headers: Record<string, string> } {
  return { method: 'POST', body: JSON.stringify(value), headers: { 'content-type': 'application/json' } }
}
