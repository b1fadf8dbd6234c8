/** `concord tenants`. */
import type { Command } from 'commander'
import { deleteTenant, toRemovedRecord } from '../app/scopes/scope-erasure.ts'
import { listScopes } from '../app/scopes/scopes.ts'
import { createTenant, getTenant, listTenants } from '../app/identity/tenants.ts'
import type { TenantCaller } from '../domain/caller.ts'
import { actFor } from './acting.ts'
import { requireYes, yesOption } from './confirmation.ts'
import type { ConfirmOptions } from './confirmation.ts'
import type { Operator, WithOperator } from './operator.ts'
import { printRecord, printTable } from '@concord/cli/terminal'
import type { OutputOptions } from '@concord/cli/terminal'
import { everyPage } from './pages.ts'

interface CreateOptions extends OutputOptions {
  readonly name: string
}

interface DeleteOptions extends OutputOptions, ConfirmOptions {}

export function addTenantCommands(program: Command, withOperator: WithOperator): void {
  const tenants = program.command('tenants').description('create, list and delete tenants')
  tenants
    .command('create')
    .description('create a tenant and show its first key once')
    .requiredOption('--name <name>', 'a name for people')
    .option('--json', 'print JSON')
    .action((options: CreateOptions) =>
      withOperator(async (operator) => {
        const { tenantId, key } = await createTenant(operator, operator.caller, { name: options.name })
        printRecord({ tenant_id: tenantId, api_key: key.key, key_prefix: key.prefix }, options)
        if (!options.json)
          process.stderr.write('Keep this key now; it is not stored and cannot be shown again.\n')
      }),
    )
  tenants
    .command('list')
    .description('list tenants, oldest first')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withOperator(async (operator) => {
        const all = await everyPage((page) => listTenants(operator, page))
        const rows = all.map(({ tenantId, name, createdAt }) => ({
          tenant_id: tenantId,
          name,
          created_at: createdAt.toISOString(),
        }))
        printTable(rows, options)
      }),
    )
  tenants
    .command('delete <tenantId>')
    .description('delete a tenant with its keys, its scopes and everything in them')
    .option(...yesOption)
    .option('--json', 'print JSON')
    .action((tenantId: string, options: DeleteOptions) =>
      withOperator(async (operator) => {
        const who = await actFor(operator, tenantId)
        await requireYes(options, () => describeTenant(operator, who))
        const { scopes, removed } = await deleteTenant(operator, operator.caller, who.tenantId)
        printRecord({ tenant_id: tenantId, scopes, ...toRemovedRecord(removed) }, options)
      }),
    )
}

async function describeTenant(operator: Operator, who: TenantCaller): Promise<string> {
  const { name, tenantId } = await getTenant(operator, who.tenantId)
  const scopes = await everyPage((page) => listScopes(operator, who, page))
  return (
    `the tenant ${JSON.stringify(name)} (${tenantId}) with its keys and its ${scopes.length} scope(s): all documents, ` +
    'everything derived from them, the logs and the data keys'
  )
}
