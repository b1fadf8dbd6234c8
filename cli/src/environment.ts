/** What the commands are handed of the world around them; only the entry of a process reads it. */

export type CliEnvironment = Readonly<Record<string, string | undefined>>
