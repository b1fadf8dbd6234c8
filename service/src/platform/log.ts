/** The log: one JSON object a line. Credentials are redacted by path; content is never passed to it at all. */
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

export type Log = Logger

const CENSORED = [
  'authorization',
  '*.authorization',
  'headers.authorization',
  'headers["x-tenant-api-key"]',
  'headers["x-gateway-signature"]',
  '*.headers.authorization',
  '*.headers["x-tenant-api-key"]',
  '*.headers["x-gateway-signature"]',
  'api_key',
  '*.api_key',
  'text',
  '*.text',
  'body',
  '*.body',
]

export function createLog(level: string, process: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: CENSORED, censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return destination ? pino(options, destination) : pino(options)
}
