/** `concord scopes`. */
import type { Command } from 'commander'
import { createScope, listScopes } from '../app/scopes.ts'
import type { ScopeRow } from '../app/scopes.ts'
import { getTenant } from '../app/tenants.ts'
import type { TenantCaller } from '../domain/caller.ts'
import type { Operator, WithOperator } from './operator.ts'
import { printRecord, printTable } from './output.ts'
import type { OutputOptions } from './output.ts'
import { everyPage } from './pages.ts'

interface ScopeOptions extends OutputOptions {
  readonly tenant: string
  readonly displayName?: string
}

export function addScopeCommands(program: Command, withOperator: WithOperator): void {
  const scopes = program.command('scopes').description('create and list the scopes of a tenant')
  scopes
    .command('create <scopeId>')
    .description('create a scope with a data key of its own')
    .requiredOption('--tenant <id>', 'whose scope it is')
    .option('--display-name <name>', 'what people call it')
    .option('--json', 'print JSON')
    .action((scopeId: string, options: ScopeOptions) =>
      withOperator(async (operator) => {
        const what = { scopeId: requireScopeId(scopeId), displayName: options.displayName ?? null }
        printRecord(toRow(await createScope(operator, await actFor(operator, options.tenant), what)), options)
      }),
    )
  scopes
    .command('list')
    .description('list scopes by id')
    .requiredOption('--tenant <id>', 'whose scopes')
    .option('--json', 'print JSON')
    .action((options: ScopeOptions) =>
      withOperator(async (operator) => {
        const who = await actFor(operator, options.tenant)
        printTable((await everyPage((page) => listScopes(operator, who, page))).map(toRow), options)
      }),
    )
}

/** The operator acts for a tenant only once that tenant is known to exist. */
async function actFor(operator: Operator, tenantId: string): Promise<TenantCaller> {
  const tenant = await getTenant(operator, tenantId)
  return { ...operator.caller, tenantId: tenant.tenantId }
}

function requireScopeId(value: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,119}$/.test(value)) return value
  throw new Error(
    'A scope id has lowercase letters, digits and hyphens, starts with no hyphen, and at most 120 of them',
  )
}

function toRow(scope: ScopeRow): Record<string, string | number | null> {
  return {
    scope_id: scope.scopeId,
    display_name: scope.displayName,
    epoch: scope.epoch,
    created_at: scope.createdAt.toISOString(),
  }
}
