/** `concord audit`: verifies the audit log and lists its entries. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { exportAudit, verifyAudit, verifyAuditExport } from '../app/audit/audit-verification.ts'
import type { AuditVerdict, ChainPosition } from '../app/audit/audit-verification.ts'
import type { Operator, WithOperator } from './operator.ts'
import { escapeJson, oneLine, printJson } from '@concord/cli/terminal'
import type { OutputOptions } from '@concord/cli/terminal'

interface VerifyOptions extends OutputOptions {
  readonly anchor?: ChainPosition
  readonly file?: readonly string[]
}

/** Thrown after the faults have been printed. */
class NotWhole extends Error {
  constructor() {
    super(
      'The audit log is not as it was written. Keep what there is, and compare it with exports and backups.',
    )
    this.name = 'NotWhole'
  }
}

export function addAuditCommands(program: Command, withOperator: WithOperator): void {
  const audit = program.command('audit').description('verify and export the audit log')
  audit
    .command('verify')
    .description('check every entry and the chain; ends with 1 and the first bad index if something is wrong')
    .option(
      '--anchor <SEQ:MAC>',
      'an end of the log that was noted earlier, from kernel health or the log',
      parseAnchor,
    )
    .option('--file <paths...>', 'verify exports instead of the database')
    .option('--json', 'print JSON')
    .action((options: VerifyOptions) => withOperator((operator) => verify(operator, options)))
  audit
    .command('export')
    .description('print the log as lines of JSON, entries in order, then where it ends')
    .option('--after <seq>', 'only entries after this one', parseSeq, 0)
    .action(({ after }: { readonly after: number }) =>
      withOperator(async (operator) => {
        for await (const line of exportAudit(operator, after)) await write(`${escapeJson(line)}\n`)
      }),
    )
}

async function verify(operator: Operator, { anchor, file, json }: VerifyOptions): Promise<void> {
  if (!file) return settle([await verifyAudit(operator, anchor)], json, ([verdict]) => verdict)
  const verdicts: (AuditVerdict & { readonly file: string })[] = []
  for (const path of file) {
    const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    verdicts.push({ file: path, ...(await verifyAuditExport(operator.auditor, lines, anchor)) })
  }
  return settle(verdicts, json, (all) => all)
}

type Told = AuditVerdict & { readonly file?: string }

function settle(
  verdicts: readonly Told[],
  json: boolean | undefined,
  toJson: (all: readonly Told[]) => unknown,
) {
  if (json) printJson(toJson(verdicts))
  else for (const verdict of verdicts) process.stdout.write(`${oneLine(describeVerdict(verdict))}\n`)
  if (verdicts.some(({ fault }) => fault !== null)) throw new NotWhole()
}

function describeVerdict({ file, entries, seq, unchained, fault }: Told): string {
  const where = file === undefined ? '' : `${file}: `
  if (fault) return `${where}entry ${fault.index}: ${fault.kind}: ${fault.detail}; whole up to ${seq}`
  const waiting = unchained === 0 ? '' : `, ${unchained} not in it yet`
  return `${where}${entries} entries, chain whole up to ${seq}${waiting}`
}

/** Waits for a reader of the output that is slower than the database. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await new Promise<void>((go) => process.stdout.once('drain', go))
}

function parseAnchor(value: string): ChainPosition {
  const [, seq, chainMac] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(value) ?? []
  if (seq === undefined || chainMac === undefined)
    throw new InvalidArgumentError('Give number and MAC as health or the log shows them, like 42:9f86….')
  return { seq: Number(seq), chainMac }
}

function parseSeq(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('Give the number of an entry.')
  return Number(value)
}
