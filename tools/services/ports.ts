// Free ports on the loopback address. They are taken from below the range the system uses for outgoing
// connections: there, a client that keeps calling a stopped server can end up connected to itself and
// hold the very port the server needs to come back.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { waitUntil } from './waiting.ts'

export const LOOPBACK = '127.0.0.1'

const LOWEST = 20_000
const HIGHEST = 32_000
const TRIES = 100
// A process that was just killed may keep its port for a moment longer than its entry in the process list.
const RELEASE_MS = 2_000

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, LOOPBACK, () => probe.close(() => resolve(true)))
  })
}

async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port between ${LOWEST} and ${HIGHEST} on ${LOOPBACK}; stop what fills them.`)
}

/** The wished port when it is free or soon becomes so, otherwise another one. */
export async function keepOrChange(wished: number | undefined): Promise<number> {
  if (wished !== undefined && (await waitUntil(() => isFree(wished), RELEASE_MS))) return wished
  return freePort()
}
