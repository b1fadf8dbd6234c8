/** The commands of those who hold a tenant key: all of them over HTTP, by the client. */
import type { Command } from 'commander'
import { addClaimsCommand } from './claims.ts'
import { addCompletionCommand } from './completion.ts'
import { addContradictionCommands } from './contradictions.ts'
import type { OperatorContradictions } from './contradictions.ts'
import { addDocumentCommands } from './documents.ts'
import type { CliEnvironment } from './environment.ts'
import { addIngestCommand } from './ingest.ts'
import { addInitCommand } from './init.ts'
import { addMcpCommand } from './mcp.ts'
import { addRereadCommand } from './reread.ts'
import { addExportCommand } from './export.ts'
import { addReportCommand } from './report.ts'
import { addScopeCommands } from './scopes.ts'
import type { OperatorScopes } from './scopes.ts'
import { addSummaryCommand } from './summary.ts'
import { addWatchCommand } from './watch.ts'

/** The commands that the server has besides, in the name of any tenant. */
export interface OperatorForms {
  readonly contradictions?: OperatorContradictions
  readonly scopes?: OperatorScopes
}

export function addTenantSideCommands(
  program: Command,
  environment: CliEnvironment,
  operator: OperatorForms = {},
): void {
  program.commandsGroup('With the key of a tenant, from anywhere:')
  addInitCommand(program, environment)
  addScopeCommands(program, environment, operator.scopes)
  addIngestCommand(program, environment)
  addWatchCommand(program, environment)
  addSummaryCommand(program, environment)
  addDocumentCommands(program, environment)
  addRereadCommand(program, environment)
  addContradictionCommands(program, environment, operator.contradictions)
  addClaimsCommand(program, environment)
  addReportCommand(program, environment)
  addExportCommand(program, environment)
  addMcpCommand(program, environment)
  addCompletionCommand(program)
}
