/** `concord top`: shows roles, workers, queue age and rates, once a second until it is stopped. */
import { setTimeout as delay } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { WithKernelView } from './kernel-view.ts'
import { printJson } from '@concord/cli/terminal'
import { drawTop } from './top-screen.ts'
import type { TopFrame } from './top-screen.ts'

interface TopOptions {
  readonly once?: boolean
  readonly json?: boolean
  readonly interval: number
}

/** Every process sends a heartbeat once a second, and a rate needs two samples. */
const LISTEN_MS = 2_500
/**
 * The cursor goes home, the frame is drawn over the last one, and the rest of the screen is cleared. This does not
 * flicker.
 */
const HOME = '\u001B[H'
const CLEAR_BELOW = '\u001B[J'
const CLEAR_LINE = '\u001B[K'
const OTHER_SCREEN = '\u001B[?1049h\u001B[?25l'
const FIRST_SCREEN = '\u001B[?25h\u001B[?1049l'

export function addTopCommand(program: Command, withView: WithKernelView): void {
  program
    .command('top')
    .description('watch roles, workers, queue age and rates, live')
    .option('--once', 'show it once and end')
    .option('--json', 'show it once as JSON and end')
    .option('--interval <seconds>', 'how often', seconds, 1)
    .action((options: TopOptions) =>
      withView(async (view) => {
        const look = async (): Promise<TopFrame> => ({
          at: new Date(),
          health: await view.readHealth(),
          snapshot: view.takeSnapshot(),
        })
        await delay(LISTEN_MS)
        if (options.json) return printJson(toJson(await look()))
        if (options.once) return void process.stdout.write(`${drawTop(await look()).join('\n')}\n`)
        await repeat(look, options.interval * 1_000)
      }),
    )
}

/** Scripts read the heartbeat of a hatchery from the field `said`. */
function toJson({ snapshot, ...frame }: TopFrame): object {
  const hatcheries = snapshot.hatcheries.map(({ heartbeat, ...seen }) => ({ said: heartbeat, ...seen }))
  return { ...frame, snapshot: { ...snapshot, hatcheries } }
}

/** Redraws the frame in place on a terminal until it is interrupted, and prints one frame after the other elsewhere. */
async function repeat(look: () => Promise<TopFrame>, everyMs: number): Promise<void> {
  const stop = new AbortController()
  const { isTTY } = process.stdout
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  if (isTTY) process.stdout.write(OTHER_SCREEN)
  let before: TopFrame | undefined
  try {
    while (!stop.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      const frame = await look()
      // Read for each frame, because the user may resize the window.
      const { columns } = process.stdout
      show(drawTop(frame, before, isTTY ? columns : undefined), isTTY, columns)
      before = frame
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await delay(everyMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  } finally {
    if (isTTY) process.stdout.write(FIRST_SCREEN)
  }
}

function show(lines: readonly string[], isTTY: boolean, columns: number): void {
  if (!isTTY) return void process.stdout.write(`${lines.join('\n')}\n\n`)
  const cut = lines.map((line) => `${line.slice(0, columns)}${CLEAR_LINE}`)
  process.stdout.write(`${HOME}${cut.join('\n')}\n${CLEAR_BELOW}`)
}

function seconds(value: string): number {
  const parsed = Number(value)
  if (!(parsed >= 0.2 && parsed <= 3_600)) throw new InvalidArgumentError('Say seconds from 0.2 to 3600.')
  return parsed
}
