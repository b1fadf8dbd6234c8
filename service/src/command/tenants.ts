/** `concord tenants`. */
import type { Command } from 'commander'
import { createTenant, listTenants } from '../app/tenants.ts'
import type { WithOperator } from './operator.ts'
import { printRecord, printTable } from './output.ts'
import type { OutputOptions } from './output.ts'
import { everyPage } from './pages.ts'

interface CreateOptions extends OutputOptions {
  readonly name: string
}

export function addTenantCommands(program: Command, withOperator: WithOperator): void {
  const tenants = program.command('tenants').description('create and list tenants')
  tenants
    .command('create')
    .description('create a tenant and show its first key once')
    .requiredOption('--name <name>', 'what people call it')
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
}
