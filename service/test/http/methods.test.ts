import { describe, expect, it } from 'vitest'
import { methodsAt } from '../../src/http/methods.ts'
import { madeUpRoute } from '../support/made-up.ts'

const alias = { path: '/old/{id}', deprecatedOn: '2026-01-01', sunsetOn: '2027-01-01' }
const routes = [
  madeUpRoute({ path: '/things', method: 'GET' }),
  madeUpRoute({ path: '/things', method: 'POST' }),
  madeUpRoute({ path: '/things/{id}', method: 'GET', aliases: [alias] }),
  madeUpRoute({ path: '/things/{id}', method: 'DELETE' }),
  madeUpRoute({ path: '/things/{id}/parts/{part}', method: 'PUT' }),
]

describe('methodsAt', () => {
  it.each([
    ['/things', ['GET', 'HEAD', 'POST']],
    ['/things/7', ['DELETE', 'GET', 'HEAD']],
    ['/things/7/parts/x', ['PUT']],
    ['/old/7', ['GET', 'HEAD']],
  ])('names the methods of %s', (path, methods) => {
    expect(methodsAt(routes, path)).toEqual(methods)
  })

  it.each(['/', '/thing', '/things/', '/things/7/', '/Things', '/things/7/parts', '/old', '//things', ''])(
    'knows no method at %j',
    (path) => {
      expect(methodsAt(routes, path)).toEqual([])
    },
  )
})
