/** Runs before any test that needs servers: they answer, and a migrated template database is there to be copied. */
import type { TestProject } from 'vitest/node'
import type { ServicesState } from '../services/index.ts'
import { ensureTestServices, servicesFrom } from '../services/index.ts'
import { ensureTemplate } from './template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    readonly servers: ServicesState
    readonly templateDatabase: string
  }
}

export async function setup(project: TestProject): Promise<void> {
  const servers = await ensureTestServices()
  project.provide('servers', servers)
  project.provide('templateDatabase', await ensureTemplate(servicesFrom(servers)))
}
