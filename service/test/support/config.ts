/** A configuration for tests: real addresses, secrets made on the spot. */
import { randomBytes } from 'node:crypto'
import { parseConfig } from '../../src/platform/config.ts'
import type { Config } from '../../src/platform/config.ts'
import { deploymentEnv } from '@concord/tools/launch'
import type { TestDatabase } from './database.ts'

export function testConfig(database: TestDatabase, extra: Readonly<Record<string, string>> = {}): Config {
  return parseConfig({
    ...deploymentEnv(database.services, database.name),
    PORT: '0',
    LOG_LEVEL: 'silent',
    GATEWAY_SECRET: randomBytes(32).toString('base64'),
    ...extra,
  })
}
