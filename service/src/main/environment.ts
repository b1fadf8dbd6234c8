/** Reads the environment; no other file does. A secret may be in a file whose path is in NAME_FILE. */
import { readFile } from 'node:fs/promises'
import { ConfigFault, secretNames } from '../platform/config.ts'
import type { Environment } from '../platform/config.ts'

export async function readEnvironment(variables: Environment = process.env): Promise<Environment> {
  const read = await Promise.all(secretNames.map((name) => readSecret(name, variables[`${name}_FILE`])))
  const faults = read.flatMap((each) => (each && 'fault' in each ? [each.fault] : []))
  if (faults.length > 0) throw new ConfigFault(faults)
  const secrets = read.flatMap((each) => (each && 'value' in each ? [[each.name, each.value]] : []))
  return { ...variables, ...Object.fromEntries(secrets) }
}

type SecretRead = { readonly name: string; readonly value: string } | { readonly fault: string }

async function readSecret(name: string, path: string | undefined): Promise<SecretRead | undefined> {
  if (!path) return undefined
  try {
    return { name, value: (await readFile(path, 'utf8')).trim() }
  } catch {
    return { fault: `${name}_FILE names ${path}, which cannot be read` }
  }
}
