/** `concord scopes`: over HTTP as a tenant, or on the server with --tenant as its operator. */
import type { Command } from 'commander'
import type { ListedScope } from '@concord/client'
import { fitColumns } from '../terminal/columns.ts'
import { connect } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { DEFAULT_LIMIT, parseLimit, printFirst } from './listing.ts'
import type { ListOptions } from './listing.ts'
import { JSON_OUTPUT, printRecord } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { tableWidth } from '../terminal/screen.ts'
import { oneLine, shareText } from '../terminal/words.ts'

interface ScopeOptions extends OutputOptions, ProfileOptions {
  readonly tenant?: string
}

export interface NewScopeOptions extends ScopeOptions {
  readonly displayName?: string
  readonly policy?: string
}

type Named<Options> = Options & { readonly tenant: string }

/** The server's form of the commands, which acts for a named tenant straight in the database. */
export interface OperatorScopes {
  create(scopeId: string, options: Named<NewScopeOptions>): Promise<void>
  list(options: Named<OutputOptions>): Promise<void>
  /** Adds the commands that only an operator has. */
  addViews(scopes: Command): void
}

export function addScopeCommands(
  program: Command,
  environment: CliEnvironment,
  operator?: OperatorScopes,
): void {
  const verbs = operator ? 'create, list, show, empty and delete' : 'create and list'
  const scopes = program.command('scopes').alias('scope').description(`${verbs} the scopes of a tenant`)
  addCreate(scopes, environment, operator)
  addList(scopes, environment, operator)
  operator?.addViews(scopes)
}

function withTenant(command: Command, operator: OperatorScopes | undefined): Command {
  if (operator)
    command.option('--tenant <id>', 'on the server: act for this tenant, straight in the database')
  return command.option(...PROFILE).option(...JSON_OUTPUT)
}

function addCreate(parent: Command, environment: CliEnvironment, operator: OperatorScopes | undefined): void {
  const command = parent
    .command('create')
    .argument('<scopeId>', 'lowercase letters, digits and hyphens')
    .description('create a scope with a data key of its own')
    .option('--display-name <name>', 'a name for people')
  if (operator) command.option('--policy <file>', 'with --tenant: policies of its own, in Cedar')
  withTenant(command, operator).action(async (scopeId: string, options: NewScopeOptions) => {
    const { tenant, displayName, policy } = options
    if (operator && tenant !== undefined) return operator.create(scopeId, { ...options, tenant })
    if (policy !== undefined)
      throw new Error('Policies are written by the operator: give --tenant ID, on the server.')
    const { concord } = await connect(options, environment)
    const scope = await concord.createOwnScope({
      scope_id: scopeId,
      ...(displayName !== undefined && { display_name: displayName }),
    })
    printRecord({ ...scope }, options)
    if (!options.json) process.stdout.write(`Send documents: concord ingest --scope ${scope.scope_id} PATH\n`)
  })
}

interface ListingOptions extends ScopeOptions, ListOptions {}

function addList(parent: Command, environment: CliEnvironment, operator: OperatorScopes | undefined): void {
  const command = parent
    .command('list')
    .description('list scopes by id')
    .option('--limit <number>', 'how many, or all', parseLimit, DEFAULT_LIMIT)
  withTenant(command, operator).action(async (options: ListingOptions) => {
    const { tenant } = options
    if (operator && tenant !== undefined) return operator.list({ ...options, tenant })
    const { concord } = await connect(options, environment)
    await printFirst(concord.listOwnScopes.all(), options, drawScopes)
  })
}

function drawScopes(scopes: readonly ListedScope[]): string[] {
  const heading = ['SCOPE', 'NAME', 'DOCUMENTS', 'WAITING', 'FAILED', 'SETTLED']
  return fitColumns([heading, ...scopes.map(cellsOf)], tableWidth())
}

function cellsOf({ scope_id: id, display_name: name, documents, convergence }: ListedScope): string[] {
  const { queued, processing, failed } = documents.by_status
  return [
    id,
    oneLine(name ?? '-'),
    String(documents.total),
    String(queued + processing),
    String(failed),
    convergence.state === 'empty' ? 'empty' : `${convergence.state}, ${shareText(convergence.score)}`,
  ]
}
