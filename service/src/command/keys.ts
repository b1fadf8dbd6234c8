/** `concord keys`: only this command creates keys of the admin and internals tiers. */
import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { issueTenantKey, listTenantKeys, revokeTenantKey, rotateTenantKey } from '../app/identity/keys.ts'
import type { IssuedKey, KeyRow } from '../app/identity/keys.ts'
import { rewrapDataKeys } from '../app/upkeep/rewrap.ts'
import { createRootKey, listRootKeys, revokeRootKey, rotateRootKey } from '../app/identity/root-keys.ts'
import { keyStatus } from '../domain/key.ts'
import { keyPrefix } from '../platform/api-key.ts'
import type { KeyTier } from '../platform/api-key.ts'
import type { Operator, WithOperator } from './operator.ts'
import { printRecord, printTable } from '@concord/cli/terminal'
import type { OutputOptions } from '@concord/cli/terminal'
import { everyPage } from './pages.ts'

interface CreateOptions extends OutputOptions {
  readonly tier: KeyTier
  readonly tenant?: string
  readonly name?: string
  readonly expires?: Date
}

interface KeyOptions extends OutputOptions {
  readonly tenant?: string
}

interface RewrapOptions extends OutputOptions {
  readonly from: string
}

interface RotateOptions extends KeyOptions {
  readonly overlap: number
  readonly expires?: Date
}

export function addKeyCommands(program: Command, withOperator: WithOperator): void {
  const keys = program.command('keys').description('create, list, rotate and revoke keys')
  keys
    .command('create')
    .description('create a key and show it once')
    .addOption(new Option('--tier <tier>').choices(['tenant', 'admin', 'internals']).makeOptionMandatory())
    .addOption(new Option('--tenant <id>', 'whose key it is; required for the tenant tier'))
    .option('--name <name>', 'where it will be used')
    .option('--expires <instant>', 'when it stops working, e.g. 2027-01-31T00:00:00Z', parseInstant)
    .option('--json', 'print JSON')
    .action((options: CreateOptions) => withOperator((operator) => createKeyCommand(operator, options)))
  keys
    .command('list')
    .description('list keys, dead ones too; secrets are not stored')
    .addOption(tenantOption())
    .option('--json', 'print JSON')
    .action((options: KeyOptions) => withOperator((operator) => listKeysCommand(operator, options)))
  keys
    .command('rotate <keyId>')
    .description('replace a key; both work until the overlap ends')
    .addOption(tenantOption())
    .option('--overlap <seconds>', 'how long the old key stays valid', parseSeconds, 86_400)
    .option(
      '--expires <instant>',
      'when the new key stops working; left out, it lives as long as the old one was to live',
      parseInstant,
    )
    .option('--json', 'print JSON')
    .action((keyId: string, options: RotateOptions) =>
      withOperator((operator) => rotateKeyCommand(operator, keyId, options)),
    )
  keys
    .command('revoke <keyId>')
    .description('refuse a key everywhere within one second, for good')
    .addOption(tenantOption())
    .option('--json', 'print JSON')
    .action((keyId: string, options: KeyOptions) =>
      withOperator((operator) => revokeKeyCommand(operator, keyId, options)),
    )
  addRewrapCommand(keys, withOperator)
}

function addRewrapCommand(keys: Command, withOperator: WithOperator): void {
  keys
    .command('rewrap')
    .description(
      'move every data key from an older master key to the first one of MASTER_KEY; may be run again',
    )
    .requiredOption('--from <id>', 'the master key that is to be retired')
    .option('--json', 'print JSON')
    .action((options: RewrapOptions) => withOperator((operator) => rewrapCommand(operator, options)))
}

function tenantOption(): Option {
  return new Option('--tenant <id>', 'a key of this tenant; without it, of admin and internals')
}

async function createKeyCommand(operator: Operator, options: CreateOptions): Promise<void> {
  const what = { name: options.name ?? null, expiresAt: options.expires ?? null }
  if (options.tier !== 'tenant')
    return printIssued(await createRootKey(operator, operator.caller, options.tier, what), options)
  if (!options.tenant)
    throw new Error('Say whose key it is with --tenant; concord tenants list shows the ids')
  printIssued(await issueTenantKey(operator, operator.caller, options.tenant, what), options)
}

async function listKeysCommand(operator: Operator, options: KeyOptions): Promise<void> {
  const { tenant } = options
  const keys = tenant
    ? await everyPage((page) => listTenantKeys(operator, tenant, page))
    : await listRootKeys(operator)
  printTable(keys.map(toRow), options)
}

async function rotateKeyCommand(operator: Operator, keyId: string, options: RotateOptions): Promise<void> {
  const what = { overlapSeconds: options.overlap, expiresAt: options.expires ?? null }
  const rotated = options.tenant
    ? await rotateTenantKey(operator, operator.caller, { tenantId: options.tenant, keyId }, what)
    : await rotateRootKey(operator, operator.caller, keyId, what)
  printIssued(rotated, options, {
    replaces: rotated.replaces,
    replaced_expires_at: rotated.replacedExpiresAt.toISOString(),
  })
}

async function revokeKeyCommand(operator: Operator, keyId: string, options: KeyOptions): Promise<void> {
  const revoked = options.tenant
    ? await revokeTenantKey(operator, operator.caller, options.tenant, keyId)
    : await revokeRootKey(operator, operator.caller, keyId)
  printRecord(toRow(revoked), options)
}

async function rewrapCommand(operator: Operator, options: RewrapOptions): Promise<void> {
  const { from, to, ...done } = await rewrapDataKeys(operator, operator.caller, options.from, (progress) =>
    process.stderr.write(`${progress.dataKeys} data keys moved; ${progress.tenants} tenants are done\n`),
  )
  printRecord(
    {
      from,
      to,
      moved: done.dataKeys,
      tenants: done.tenants,
      left: done.dataKeysLeft,
      audit_needs_it: done.auditNeedsIt,
      needed: done.dataKeysLeft > 0 || done.auditNeedsIt,
    },
    options,
  )
  if (done.dataKeysLeft > 0) {
    process.exitCode = 1
    process.stderr.write(
      `A process still wraps by ${from}: put ${to} first in MASTER_KEY everywhere, then run this again.\n`,
    )
  } else if (done.auditNeedsIt)
    process.stderr.write(
      `The audit log still ends with an entry of ${from}. A running dispatcher changes that within a second; run this again to see.\n`,
    )
}

function printIssued(
  issued: IssuedKey,
  options: OutputOptions,
  more: Readonly<Record<string, string>> = {},
): void {
  printRecord({ ...issuedRecord(issued), ...more }, options)
  if (!options.json) process.stderr.write('Keep this key now; it is not stored and cannot be shown again.\n')
}

function issuedRecord({ key, expiresAt }: IssuedKey): Record<string, string | null> {
  return {
    key_id: key.keyId,
    api_key: key.key,
    key_prefix: key.prefix,
    expires_at: expiresAt?.toISOString() ?? null,
  }
}

function toRow(key: KeyRow): Record<string, string | null> {
  return {
    key_id: key.keyId,
    key_prefix: keyPrefix(key.tier, key.keyId),
    tier: key.tier,
    status: keyStatus(key),
    name: key.name,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  }
}

function parseInstant(value: string): Date {
  const instant = new Date(value)
  if (!(instant.getTime() > Date.now()))
    throw new InvalidArgumentError('Give an instant in the future, e.g. 2027-01-31.')
  return instant
}

function parseSeconds(value: string): number {
  if (!/^\d{1,7}$/.test(value) || Number(value) > 2_592_000)
    throw new InvalidArgumentError('Give seconds from 0 to 2592000 (30 days).')
  return Number(value)
}
