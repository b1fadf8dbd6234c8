/**
 * `npm run dev`: the whole service on this machine, ready to use. Servers, schema, secrets, first keys, a tenant
 * and a scope are made on the first run and found again on the next; Ctrl-C ends the service, not the servers.
 */
import { ensureServices } from './services/index.ts'
import { describeFirstCalls } from './dev/first-calls.ts'
import { ensureDevKeys } from './dev/keys.ts'
import { readProfile, writeProfile } from './dev/profile.ts'
import { concordCommand, startDevApi } from './dev/processes.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

const services = await ensureServices({ report: print })
const profile = await readProfile(services, process.env)
await concordCommand(profile.env, 'migrate')
const api = await startDevApi(profile.env)
const keys = await ensureDevKeys(api.url, profile)
await writeProfile({ ...profile, keys })
print(describeFirstCalls(api.url, keys))

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) return
    stopping = true
    print('\nStopping the service; npm run services -- stop ends the servers too.')
    api.signal('SIGTERM')
  })
}
const { code } = await api.exited
process.exitCode = code ?? 1
