/** Before any test: the private servers answer, and a migrated template database is there to be copied. */
import type { TestProject } from 'vitest/node'
import { ensureServices } from '../services/index.ts'
import { ensureTemplate } from './template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    readonly templateDatabase: string
  }
}

export async function setup(project: TestProject): Promise<void> {
  const services = await ensureServices()
  project.provide('templateDatabase', await ensureTemplate(services))
}
