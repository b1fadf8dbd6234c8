/**
 * The process in which documents are read, started by the sandbox and by nobody else. It has no database, no secrets
 * and no environment; a text comes in, and its structure, its claims and a report on the reading go out, or the plan
 * by which a language model is asked about it.
 */
import { serveTasks } from '../hatchery/sandbox/child-loop.ts'
import { planReading } from '../model/plan.ts'
import { readByRules } from '../rules/reading.ts'
import { encodePlan, markTask, unmarkTask } from '../worker/plan.ts'
import { encodeReading } from '../worker/reading.ts'

/** A little of everything a reader meets, so that all of it has run once before the first document comes. */
const sample = `Date: 3 May 2021
From: The registry

# Report

The agreement was signed in Geneva. “It binds both,” the clerk noted; nothing else was said.
Revenue for 2020 rose by 4.5% to EUR 12.4m, not EUR 11.9 million, and about 30 staff joined between 1 March and June 2020.
The audit is complete, the risk is high, and no incidents were reported. Ada Lund is the auditor of Borealis Ltd.

- one item
- another item

| name | sum |
|------|-----|
| rent | 900 |

> What was quoted.

Status: settled
`

function handle(marked: string): string {
  const { kind, text } = unmarkTask(marked)
  return kind === 'plan' ? encodePlan(planReading(text)) : read(text)
}

/** Offsets leave here in code points: no later step has the text at hand. */
function read(text: string): string {
  const { structure, claims, report } = readByRules(text)
  return encodeReading(structure, report, claims)
}

await serveTasks(handle, markTask('rules', sample))
