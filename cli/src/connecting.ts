/** The things that a command needs before it can ask anything: a client made from a profile, and the scope that is meant. */
import { createClient } from '@concord/client'
import type { ClientOptions, Concord } from '@concord/client'
import type { CliEnvironment } from './environment.ts'
import { readProfile } from './profile.ts'
import type { Profile, ProfileOptions } from './profile.ts'

export interface Connected {
  readonly concord: Concord
  readonly profile: Profile
}

export async function connect(
  options: ProfileOptions,
  environment: CliEnvironment,
  more: Partial<ClientOptions> = {},
): Promise<Connected> {
  const profile = await readProfile(options, environment)
  return { profile, concord: clientOf(profile, more) }
}

export function clientOf({ url, tenantId, tenantKey }: Profile, more: Partial<ClientOptions> = {}): Concord {
  return createClient({ baseUrl: url, tenantId, tenantKey, ...more })
}

/** The one that is named, else the one of the profile. */
export function scopeOf(named: string | undefined, { scopeId }: Profile): string {
  const scope = named ?? scopeId
  if (scope === undefined) throw new Error('Say which scope; concord init --scope ID keeps one for good.')
  return scope
}
