/** `concord contradictions next`: a walk through the open contradictions of a scope, with a decision at each. */
import type { Command } from 'commander'
import type { Concord, Contradiction, ContradictionSide, ResolutionBody } from '@concord/client'
import { connect, scopeOf } from './connecting.ts'
import { describeContradiction } from './contradiction-view.ts'
import type { CliEnvironment } from './environment.ts'
import { takeFirst } from './listing.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { canAsk, openPrompts } from './prompting.ts'
import type { Prompts } from './prompting.ts'
import { pageWidth, printLines } from '../terminal/screen.ts'
import { oneLine, plural } from '../terminal/words.ts'

interface WalkOptions extends ProfileOptions {
  readonly scope?: string
  readonly by?: string
}

export function addNextCommand(parent: Command, environment: CliEnvironment): void {
  parent
    .command('next')
    .argument('[scope]', 'the scope; default: that of the profile')
    .description('walk through the open contradictions, the heaviest first, and decide each')
    .option('--scope <id>', 'the same as the argument')
    .option('--by <person>', 'the person who decides; the key is always recorded')
    .option(...PROFILE)
    .action(async (place: string | undefined, options: WalkOptions) => {
      if (!canAsk())
        throw new Error(
          'This asks questions, so it needs a terminal; contradictions resolve and dismiss do not.',
        )
      const { concord, profile } = await connect(options, environment)
      await walk(concord, scopeOf(place ?? options.scope, profile), options)
    })
}

async function walk(concord: Concord, scopeId: string, options: WalkOptions): Promise<void> {
  const all = concord.listContradictions.all({ scopeId, status: 'open', order: 'severity' })
  const { items: open } = await takeFirst(all, { limit: Number.POSITIVE_INFINITY })
  if (open.length === 0) return printLines([`Nothing is open in ${scopeId}.`])
  const prompts = openPrompts()
  let decided = 0
  try {
    for (const [at, found] of open.entries()) {
      printLines([
        `${at + 1} of ${open.length}`,
        ...describeContradiction(found, pageWidth()),
        '',
        ...choicesOf(found),
      ])
      // oxlint-disable-next-line no-await-in-loop -- a person answers one question after the other
      const decision = await askDecision(prompts)
      if (decision === 'quit') break
      if (decision === 'skip') continue
      const { contradiction_id: contradictionId } = found
      const by = options.by === undefined ? {} : { by: options.by }
      // oxlint-disable-next-line no-await-in-loop -- kept before the next question is asked
      await concord.resolveContradiction({ scopeId, contradictionId, ...decision, ...by })
      decided += 1
    }
  } finally {
    prompts.close()
  }
  printLines([`${plural(decided, 'contradiction')} decided, ${open.length - decided} still open.`])
}

function nameChoice({ source, value }: ContradictionSide): string {
  return oneLine(`${source} holds${value === null ? '' : `: ${value.text}`}`)
}

function choicesOf({ a, b }: Contradiction): string[] {
  return [
    `a  ${nameChoice(a)}`,
    `b  ${nameChoice(b)}`,
    'c  both hold, they are compatible     n  neither holds',
    'd  dismiss it, it is none             s  skip     q  quit',
  ]
}

type Decision = ResolutionBody | 'skip' | 'quit'

const HOLDS: ReadonlyMap<string, 'a' | 'b' | 'both' | 'neither'> = new Map([
  ['a', 'a'],
  ['b', 'b'],
  ['c', 'both'],
  ['n', 'neither'],
] as const)

async function askDecision(prompts: Prompts): Promise<Decision> {
  const answer = (await prompts.ask('Your decision', 's')).toLowerCase()
  if (answer === 's') return 'skip'
  if (answer === 'q') return 'quit'
  if (answer === 'd') return { outcome: 'dismissed', reason: await prompts.ask('Reason') }
  const holds = HOLDS.get(answer)
  if (holds === undefined) {
    printLines(['Answer a, b, c, n, d, s or q.'])
    return askDecision(prompts)
  }
  return { outcome: 'resolved', holds, reason: await prompts.ask('Reason') }
}
