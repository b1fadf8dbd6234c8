/** The environment of the commands; only the entry of a process reads it. */

export type CliEnvironment = Readonly<Record<string, string | undefined>>
