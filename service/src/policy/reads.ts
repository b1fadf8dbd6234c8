/**
 * Finds the attributes that a set of policies really asks about at each point, found in the policies themselves. Two questions that agree in that
 * have the same answer, so a set that asks nothing of a document is asked once for all documents.
 */
import type { PolicyPoint } from '../domain/policy.ts'
import type { Cedar } from './cedar.ts'
import { ATTRIBUTES } from './request.ts'
import type { Named } from './request.ts'

export interface Reads extends Named {
  /** The ids of the tenant and the scope. */
  readonly place: boolean
  /** The id of the document or the contradiction. */
  readonly id: boolean
}

interface Seen {
  readonly resource: Set<string>
  readonly context: Set<string>
  place: boolean
  id: boolean
}

export function readsOf(policies: readonly Cedar.PolicyJson[]): Readonly<Record<PolicyPoint, Reads>> {
  return {
    admit_document: readsAt('admit_document', policies),
    process_document: readsAt('process_document', policies),
    settle_contradiction: readsAt('settle_contradiction', policies),
    settle_scope: readsAt('settle_scope', policies),
  }
}

function readsAt(point: PolicyPoint, policies: readonly Cedar.PolicyJson[]): Reads {
  const seen: Seen = { resource: new Set(), context: new Set(), place: false, id: false }
  for (const policy of policies) {
    if (!mayConcern(policy.action, point)) continue
    if (policy.principal.op !== 'All') seen.place = true
    if (policy.resource.op !== 'All') seen.place = true
    if (policy.resource.op !== 'All' && !isInPlace(policy.resource)) seen.id = true
    for (const { body } of policy.conditions) look(body, seen)
  }
  const { resource, context } = ATTRIBUTES[point]
  return {
    place: seen.place,
    id: seen.id,
    resource: resource.filter((name) => seen.resource.has(name) || seen.resource.has(ALL)),
    context: context.filter((name) => seen.context.has(name) || seen.context.has(ALL)),
  }
}

const ALL = '*'

/** An entity is written in one of two ways. */
function plain(entity: Cedar.EntityUidJson): Cedar.TypeAndId {
  return 'type' in entity ? entity : entity['__entity']
}

/** `resource in Concord::Scope::"…"`: the same for all that is in the scope. */
function isInPlace(resource: Cedar.ResourceConstraint): boolean {
  if (resource.op !== 'in' || !('entity' in resource)) return false
  const { type } = plain(resource.entity)
  return type === 'Concord::Scope' || type === 'Concord::Tenant'
}

/** Whether a policy with this constraint can apply at this point. The schema has no groups of actions. */
export function mayConcern(action: Cedar.ActionConstraint, point: PolicyPoint): boolean {
  if (action.op === 'All') return true
  const named = 'entities' in action ? action.entities : 'entity' in action ? [action.entity] : []
  return named.some((entity) => plain(entity).id === point)
}

/** A variable that is used other than for an attribute counts as fully read. */
function look(node: unknown, seen: Seen): void {
  if (Array.isArray(node)) return node.forEach((each) => look(each, seen))
  if (typeof node !== 'object' || node === null) return
  const access = accessIn(node)
  if (access) return void (access.of === 'resource' ? seen.resource : seen.context).add(access.attribute)
  const variable = 'Var' in node ? node.Var : undefined
  if (variable === 'principal' || variable === 'resource') seen.place = true
  if (variable === 'resource') seen.id = true
  if (variable === 'context') seen.context.add(ALL)
  for (const each of Object.values(node)) look(each, seen)
}

/** `resource.x`, `context.x`, `resource has x`. */
function accessIn(
  node: object,
): { readonly of: 'resource' | 'context'; readonly attribute: string } | undefined {
  const inner: unknown = '.' in node ? node['.'] : 'has' in node ? node.has : undefined
  if (typeof inner !== 'object' || inner === null || !('left' in inner) || !('attr' in inner))
    return undefined
  const { left, attr } = inner
  if (typeof left !== 'object' || left === null || !('Var' in left)) return undefined
  if (left.Var !== 'resource' && left.Var !== 'context') return undefined
  const attribute: unknown = Array.isArray(attr) ? attr[0] : attr
  return typeof attribute === 'string' ? { of: left.Var, attribute } : undefined
}
