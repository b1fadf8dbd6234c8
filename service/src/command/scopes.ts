/** `concord scopes`. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { getConvergence } from '../app/scopes/convergence.ts'
import { deleteScope, resetScope, toRemovedRecord } from '../app/scopes/scope-erasure.ts'
import { getRuntime } from '../app/processing/runtime.ts'
import { createScope, getScope, listScopes } from '../app/scopes/scopes.ts'
import type { ScopeRow } from '../app/scopes/scopes.ts'
import { actFor } from './acting.ts'
import { requireYes, yesOption } from './confirmation.ts'
import type { ConfirmOptions } from './confirmation.ts'
import type { Operator, WithOperator } from './operator.ts'
import { printRecord, printTable } from '@concord/cli/terminal'
import type { Cell, OutputOptions } from '@concord/cli/terminal'
import { everyPage } from './pages.ts'

interface ScopeOptions extends OutputOptions, ConfirmOptions {
  readonly tenant: string
}

interface CreateOptions extends OutputOptions {
  readonly tenant: string
  readonly displayName?: string
  readonly policy?: string
}

/** The actions of the operator for commands that tenants have too. */
interface ScopeActions {
  create(scopeId: string, options: CreateOptions): Promise<void>
  list(options: OutputOptions & { readonly tenant: string }): Promise<void>
  addViews(scopes: Command): void
}

/** `concord scopes` for the operator: it acts for a named tenant, and has more commands than that of a tenant. */
export function operatorScopes(withOperator: WithOperator): ScopeActions {
  return {
    create: (scopeId, options) =>
      withOperator(async (operator) => {
        const { displayName = null, policy: file } = options
        const policy = file === undefined ? undefined : await readFile(file, 'utf8')
        const what = { scopeId: requireScopeId(scopeId), displayName, policy }
        printRecord(toRow(await createScope(operator, await actFor(operator, options.tenant), what)), options)
      }),
    list: (options) =>
      withOperator(async (operator) => {
        const who = await actFor(operator, options.tenant)
        printTable((await everyPage((page) => listScopes(operator, who, page))).map(toRow), options)
      }),
    addViews: (scopes) => addScopeViews(scopes, withOperator),
  }
}

/** The commands for one existing scope. */
function addScopeViews(scopes: Command, withOperator: WithOperator): void {
  const add = (
    name: string,
    description: string,
    answer: (operator: Operator, scopeId: string, options: ScopeOptions) => Promise<Record<string, Cell>>,
  ) =>
    scopes
      .command(`${name} <scopeId>`)
      .description(description)
      .requiredOption('--tenant <id>', 'on the server: whose scope it is')
      .option('--json', 'print JSON')
      .action((scopeId: string, options: ScopeOptions) =>
        withOperator(async (operator) => printRecord(await answer(operator, scopeId, options), options)),
      )
  add('show', 'show a scope, its runtime and how settled it is', showScope)
  add('reset', 'erase everything in a scope, and its data key', resetScopeRow).option(...yesOption)
  add('delete', 'delete a scope and everything in it', deleteScopeRow).option(...yesOption)
}

async function showScope(operator: Operator, scopeId: string, options: ScopeOptions) {
  const who = await actFor(operator, options.tenant)
  const scope = await getScope(operator, who, scopeId)
  const runtime = await getRuntime(operator, { level: 'scope', tenantId: who.tenantId, scopeId })
  const convergence = await getConvergence(operator, who, scopeId)
  return {
    ...toRow(scope),
    state: runtime.state,
    effective_state: runtime.effectiveState,
    in_flight: runtime.inFlight,
    convergence: convergence.state,
    score: convergence.score / 1_000_000,
    blockers: convergence.blockersTotal,
  }
}

async function resetScopeRow(operator: Operator, scopeId: string, options: ScopeOptions) {
  const who = await actFor(operator, options.tenant)
  const { displayName } = await getScope(operator, who, scopeId)
  await requireYes(
    options,
    async () => `everything in ${nameOf(scopeId, displayName)}: ${CONTENT}; the scope itself stays`,
  )
  const { epoch, removed, seq } = await resetScope(operator, who, scopeId)
  return { scope_id: scopeId, epoch, seq, ...toRemovedRecord(removed) }
}

async function deleteScopeRow(operator: Operator, scopeId: string, options: ScopeOptions) {
  const who = await actFor(operator, options.tenant)
  const { displayName } = await getScope(operator, who, scopeId)
  await requireYes(options, async () => `${nameOf(scopeId, displayName)} with everything in it: ${CONTENT}`)
  const { removed } = await deleteScope(operator, who, scopeId)
  return { scope_id: scopeId, ...toRemovedRecord(removed) }
}

const CONTENT =
  'all documents, everything derived from them, the idempotency records, the log and the data key'

function nameOf(scopeId: string, displayName: string | null): string {
  return displayName === null
    ? `the scope ${scopeId}`
    : `the scope ${scopeId} (${JSON.stringify(displayName)})`
}

function requireScopeId(value: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,119}$/.test(value)) return value
  throw new Error(
    'A scope id has lowercase letters, digits and hyphens, starts with no hyphen, and at most 120 of them',
  )
}

function toRow(scope: ScopeRow): Record<string, Cell> {
  return {
    scope_id: scope.scopeId,
    display_name: scope.displayName,
    epoch: scope.epoch,
    created_at: scope.createdAt.toISOString(),
  }
}
