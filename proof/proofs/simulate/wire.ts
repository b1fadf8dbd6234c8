/** The wire between actors, Postgres and the broker: slow at times; it loses, delays, reorders and repeats. */
import type { ProgramRequest, ProgramCommand } from './programs.ts'
import type { SimulateStage } from './stage.ts'

type SentCommand = Exclude<ProgramCommand, { readonly to: 'clock' }>

export type SimulatedWire = ReturnType<typeof createWire>

export function createWire({ chance, broker, isStormy, meet }: SimulateStage, ask: ProgramRequest) {
  const goesWrong = (probability: number) => isStormy() && chance.happens(probability)
  const deliver = (command: SentCommand) => (command.to === 'postgres' ? command.run(ask) : command.run())
  return {
    latency(): number {
      const dice = isStormy() ? chance.number() : 0
      if (dice < 0.85) return chance.between(1, 10)
      return dice < 0.96 ? chance.between(10, 300) : chance.between(300, 6_000)
    },
    /** The command has its effect, or not; returns what the sender will hear. */
    arrive(command: SentCommand): unknown {
      if (command.to === 'broker' && !broker.isReachable()) return undefined
      if (goesWrong(0.01)) return undefined
      if (command.to === 'broker' && goesWrong(0.03)) {
        meet('a command to the broker arrives twice')
        deliver(command)
      }
      const result = deliver(command)
      return goesWrong(0.01) ? undefined : result
    },
  }
}
