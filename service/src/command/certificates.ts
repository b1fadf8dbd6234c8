/** `concord certificate`. */
import type { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listCertificates } from '../app/certificates/certificates.ts'
import { exportCertificates } from '../app/certificates/export.ts'
import { declareSettled } from '../app/certificates/declarations.ts'
import type { DeclarationReason } from '../app/certificates/declarations.ts'
import { readPublicKey } from '../platform/signing.ts'
import type { PublicKey } from '../platform/signing.ts'
import { actFor } from './acting.ts'
import { verifyFile } from './certificate-file.ts'
import type { VerifyOptions } from './certificate-file.ts'
import { toLines, toRecord, toRow } from './certificate-view.ts'
import type { WithOperator } from './operator.ts'
import { escapeJson, printRecord, printTable, stripControls, toPlainJson } from '@concord/cli/terminal'
import type { OutputOptions } from '@concord/cli/terminal'
import { everyPage } from './pages.ts'

/** Thrown after the differences have been printed. Its exit code differs from that of a file that could not be read. */
export class Rejected extends Error {
  static readonly exitCode = 2

  constructor(rejected: number, files: number) {
    super(files === 1 ? 'Not valid.' : `${rejected} of ${files} are not valid.`)
    this.name = 'Rejected'
  }
}

interface FileOptions extends OutputOptions {
  readonly key: readonly string[]
  readonly partial?: boolean
}

export function addCertificateCommands(program: Command, withOperator: WithOperator): void {
  const certificate = program
    .command('certificate')
    .alias('certificates')
    .description('declare scopes settled; show, export and check their certificates')
  addIssuing(certificate, withOperator)
  addReading(certificate, withOperator)
  addVerifying(certificate)
}

const TENANT = ['--tenant <id>', 'whose scope it is'] as const

function addIssuing(certificate: Command, withOperator: WithOperator): void {
  certificate
    .command('declare <scopeId>')
    .description('declare a scope settled: signs a certificate, unless the one that is there is current')
    .requiredOption(...TENANT)
    .option('--by <name>', 'who declares it')
    .option('--reason <text>', 'why')
    .option('--json', 'print JSON')
    .action((scopeId: string, options: ScopeOptions & Partial<DeclarationReason>) =>
      withOperator(async (operator) => {
        const who = await actFor(operator, options.tenant)
        const words = { by: options.by ?? null, reason: options.reason ?? null }
        printRecord(toRow(await declareSettled(operator, who, scopeId, words)), options)
      }),
    )
  certificate
    .command('key')
    .description('print the public key that certificates are signed with now')
    .option('--all', 'and those that were used before')
    .action(({ all }: { readonly all?: boolean }) =>
      withOperator(async ({ certificateKeys }) => {
        for (const { publicKeyPem } of certificateKeys.slice(0, all ? undefined : 1))
          process.stdout.write(publicKeyPem)
      }),
    )
}

function addReading(certificate: Command, withOperator: WithOperator): void {
  certificate
    .command('list <scopeId>')
    .description('list the certificates of a scope, oldest first')
    .requiredOption(...TENANT)
    .option('--json', 'print JSON')
    .action((scopeId: string, options: ScopeOptions) =>
      withOperator(async (operator) => {
        const who = await actFor(operator, options.tenant)
        const all = await everyPage((page) => listCertificates(operator, who, scopeId, page))
        printTable(all.map(toRow), options)
      }),
    )
  certificate
    .command('export <scopeId>')
    .description('print all that checking takes, but for the public key: chain, evidence and policies')
    .requiredOption(...TENANT)
    .action((scopeId: string, { tenant }: ScopeOptions) =>
      withOperator(async (operator) => {
        const who = await actFor(operator, tenant)
        const pieces = Readable.from(exportCertificates(operator, who, scopeId))
        await pipeline(pieces.map(escapeJson), process.stdout, { end: false })
      }),
    )
}

interface ScopeOptions extends OutputOptions {
  readonly tenant: string
}

function addVerifying(certificate: Command): void {
  certificate
    .command('verify <files...>')
    .description('check exported certificates with the public key alone: needs no service and no database')
    .requiredOption('--key <key...>', 'public keys that are trusted: files in PEM, or base64')
    .option('--partial', 'check a file without evidence or policies, and print what was not checked')
    .option('--json', 'print JSON, a line for each file')
    .action(async (files: string[], options: FileOptions) => {
      const keys = await Promise.all(options.key.map(readKey))
      let rejected = 0
      for (const file of files) {
        // oxlint-disable-next-line no-await-in-loop -- one file in memory at a time
        if (!(await verify(file, { keys, partial: options.partial ?? false }, options))) rejected += 1
      }
      if (rejected > 0) throw new Rejected(rejected, files.length)
    })
}

async function verify(file: string, options: VerifyOptions, output: OutputOptions): Promise<boolean> {
  const verified = verifyFile(await readFile(file, 'utf8'), options)
  const lines = output.json
    ? [toPlainJson(toRecord(file, verified))]
    : toLines(file, verified).map(stripControls)
  for (const line of lines) process.stdout.write(`${line}\n`)
  return verified.differences.length === 0
}

async function readKey(given: string): Promise<PublicKey> {
  try {
    return readPublicKey(given)
  } catch {
    // Then it names a file.
  }
  try {
    return readPublicKey(await readFile(given, 'utf8'))
  } catch (cause) {
    throw new Error(`--key ${given} is neither a public key nor a file that holds one`, { cause })
  }
}
