/** `concord demo`: creates a tenant and a scope, and sends the documents of a case that ships with the project. */
import { Option } from 'commander'
import type { Command } from 'commander'
import type { OutputOptions } from '@concord/cli/terminal'
import { putPolicy } from '../app/access/policies.ts'
import { createScope } from '../app/scopes/scopes.ts'
import { createTenant } from '../app/identity/tenants.ts'
import type { Environment } from '../platform/config.ts'
import { actFor } from './acting.ts'
import type { Operator, WithOperator } from './operator.ts'

type ReaderChoice = 'model' | 'rules'

interface ShowOptions extends OutputOptions {
  readonly reader: ReaderChoice
  readonly recorded?: string
  readonly startAgain?: string
}

interface DemoOptions extends Omit<ShowOptions, 'reader'> {
  readonly url?: string
  readonly reader?: ReaderChoice
}

interface DemoAccess {
  readonly url: string
  readonly tenantId: string
  readonly tenantKey: string
}

/** The part of the demo that the command line of a tenant implements. */
export interface DemoOfTenant {
  readonly demoCases: Readonly<
    Record<ReaderChoice, { readonly scopeId: string; readonly displayName: string }>
  >
  readonly showDemo: (access: DemoAccess, options: ShowOptions) => Promise<void>
}

export function addDemoCommand(
  program: Command,
  environment: Environment,
  withOperator: WithOperator,
  { demoCases, showDemo }: DemoOfTenant,
): void {
  program
    .command('demo')
    .description('make a tenant with a made-up case, and show where its documents contradict each other')
    .option('--url <address>', 'address of the running service; default: this machine')
    .addOption(
      new Option('--reader <reader>', 'who reads: model where MODEL_URL is set, else rules').choices([
        'model',
        'rules',
      ]),
    )
    .option('--json', 'print JSON')
    .addOption(new Option('--recorded <month>').hideHelp())
    .addOption(new Option('--start-again <command>').hideHelp())
    .addHelpText(
      'after',
      `
Both cases are made up and ship with the project: one in natural English for a service with a language model, one in
the wording that rules know. The documents are sent to the language model of the service.
The tenant is called Demo; concord tenants delete takes all of it away again.`,
    )
    .action((options: DemoOptions) =>
      withOperator(async (operator) => {
        const url = options.url ?? `http://127.0.0.1:${environment['PORT'] || '8080'}`
        const reader = options.reader ?? (environment['MODEL_URL'] ? 'model' : 'rules')
        await requireService(url)
        const made = await makeTenant(operator, reader, demoCases[reader])
        await showDemo({ url, ...made }, { ...options, reader })
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

/** The documents are invented, so they may be sent to any configured endpoint. */
const PERMISSION = `@id("demo-may-be-read-by-the-model")
permit (principal, action == Concord::Action::"process_document", resource)
when { context.external };
`

async function makeTenant(
  operator: Operator,
  reader: ReaderChoice,
  { scopeId, displayName }: DemoOfTenant['demoCases'][ReaderChoice],
): Promise<{ tenantId: string; tenantKey: string }> {
  const { tenantId, key } = await createTenant(operator, operator.caller, { name: 'Demo' })
  const who = await actFor(operator, tenantId)
  if (reader === 'model') await putPolicy(operator, who, null, PERMISSION)
  await createScope(operator, who, { scopeId, displayName, policy: undefined })
  return { tenantId, tenantKey: key.key }
}
