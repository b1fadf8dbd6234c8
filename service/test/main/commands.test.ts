/** The table that says which group of commands answers to which name. */
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { addCommands, commandGroups } from '../../src/main/commands.ts'

const namesOf = (program: Command): string[] =>
  program.commands.flatMap((command) => [command.name(), ...command.aliases()])

async function programOf(name: string | undefined): Promise<Command> {
  const program = new Command()
  await addCommands(program, name)
  return program
}

describe('a group of commands', () => {
  it.each(commandGroups.map(({ names }) => names))(
    'is all that is loaded for %s, and adds what it names',
    async (...names) => {
      const added = names.map(async (name) => namesOf(await programOf(name)))
      for (const found of await Promise.all(added))
        expect(found.filter((name) => name !== 'completion').toSorted()).toEqual(names.toSorted())
    },
  )
})

describe('all commands', () => {
  it.each([undefined, '--help', 'help', 'completion', 'tenant'])(
    'are there for %s, which no group answers to',
    async (name) => {
      const all = commandGroups.flatMap(({ names }) => names)
      expect(new Set(namesOf(await programOf(name)))).toEqual(new Set([...all, 'completion']))
    },
  )

  it('are each named by one group only', () => {
    const all = commandGroups.flatMap(({ names }) => names)
    expect(new Set(all).size).toBe(all.length)
  })
})
