import { describe, expect, it } from 'vitest'
import { decideMove, parseTarget, strictest } from '../../src/domain/runtime.ts'
import type { RuntimeOp, RuntimeState } from '../../src/domain/runtime.ts'

const OPS: readonly RuntimeOp[] = ['start', 'pause', 'resume', 'stop', 'restart']

/** The table that product and contract have; a star marks what changes nothing, two a restart. */
const TABLE: Readonly<Record<RuntimeState, readonly string[]>> = {
  stopped: ['running', 'refused', 'refused', 'stopped*', 'running**'],
  running: ['running*', 'paused', 'running*', 'stopped', 'running**'],
  paused: ['running', 'paused*', 'running', 'stopped', 'running**'],
}

describe('a move of a switch', () => {
  it.each(Object.keys(TABLE) as RuntimeState[])('from %s ends where the table says', (state) => {
    const ends = OPS.map((op) => {
      const move = decideMove(state, op)
      if (!move) return 'refused'
      return `${move.state}${move.restarts ? '**' : ''}${move.changed ? '' : '*'}`
    })
    expect(ends).toEqual(TABLE[state])
  })

  it('takes work back when it stops or restarts, and never otherwise', () => {
    const takes = (['running', 'paused', 'stopped'] as const).map((state) =>
      OPS.filter((op) => decideMove(state, op)?.takesBack),
    )
    expect(takes).toEqual([['stop', 'restart'], ['stop', 'restart'], ['restart']])
  })
})

describe('of several switches', () => {
  it('the strictest wins', () => {
    expect(strictest()).toBe('running')
    expect(strictest('running', 'paused', 'running')).toBe('paused')
    expect(strictest('paused', 'stopped', 'running')).toBe('stopped')
  })
})

describe('a target that another process named', () => {
  it('is understood, or taken for nothing', () => {
    expect(parseTarget('{"level":"service"}')).toEqual({ level: 'service' })
    expect(parseTarget('{"level":"tenant","tenantId":"t","more":1}')).toEqual({
      level: 'tenant',
      tenantId: 't',
    })
    expect(parseTarget('{"level":"scope","tenantId":"t","scopeId":"s"}')).toMatchObject({ scopeId: 's' })
    const nonsense = [
      '',
      'null',
      '7',
      '{"level":"tenant"}',
      '{"level":"scope","tenantId":"t"}',
      '{"level":1}',
    ]
    expect(nonsense.map(parseTarget)).toEqual(nonsense.map(() => undefined))
  })
})
