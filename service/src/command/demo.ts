/** `concord demo`: a tenant and a scope of its own, and the case that ships with the project. */
import { Option } from 'commander'
import type { Command } from 'commander'
import { showDemo } from '@concord/cli'
import type { DemoOutput } from '@concord/cli'
import { createScope } from '../app/scopes.ts'
import { createTenant } from '../app/tenants.ts'
import type { Environment } from '../platform/config.ts'
import { actFor } from './acting.ts'
import type { Operator, WithOperator } from './operator.ts'

interface DemoOptions extends DemoOutput {
  readonly url?: string
}

const SCOPE = 'project-clover'

export function addDemoCommand(program: Command, environment: Environment, withOperator: WithOperator): void {
  program
    .command('demo')
    .description('make a tenant with a case of a dozen documents, and show where they contradict each other')
    .option('--url <address>', 'of the running service; that of this machine where none is given')
    .option('--json', 'print JSON')
    .addOption(new Option('--start-again <command>').hideHelp())
    .addHelpText(
      'after',
      `
The case is made up and ships with the project. The tenant is called Demo; concord tenants delete takes all of it away
again.`,
    )
    .action((options: DemoOptions) =>
      withOperator(async (operator) => {
        const url = options.url ?? `http://127.0.0.1:${environment['PORT'] || '8080'}`
        await requireService(url)
        await showDemo({ url, scopeId: SCOPE, ...(await makeTenant(operator)) }, options)
      }),
    )
}

async function requireService(url: string): Promise<void> {
  const answer = await fetch(new URL('/readyz', url)).catch(() => undefined)
  if (answer?.ok) return
  throw new Error(
    answer
      ? `The service at ${url} is not ready (${answer.status}); concord doctor says why.`
      : `Nothing answers at ${url}; start the service with concord up, or say where it is with --url.`,
  )
}

async function makeTenant(operator: Operator): Promise<{ tenantId: string; tenantKey: string }> {
  const { tenantId, key } = await createTenant(operator, operator.caller, { name: 'Demo' })
  const what = { scopeId: SCOPE, displayName: 'Project Clover', policy: undefined }
  await createScope(operator, await actFor(operator, tenantId), what)
  return { tenantId, tenantKey: key.key }
}
