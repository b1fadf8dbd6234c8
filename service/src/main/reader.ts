/**
 * The child process that reads documents. Only the sandbox starts it. It has no database, no secrets and no
 * environment: it gets a text, and answers with its structure, its claims and a report, or with the plan for the
 * requests to a language model.
 */
import { serveTasks } from '../hatchery/sandbox/child-loop.ts'
import { planReading } from '../model/plan.ts'
import { readByRules } from '../rules/reading.ts'
import { encodePlan, markTask, unmarkTask } from '../worker/plan.ts'
import { encodeReading } from '../worker/reading.ts'

/** A text with all features that the reader knows, so that all its code has run before the first document. */
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

/** Returns offsets in code points, because later steps do not have the text. */
function read(text: string): string {
  const { structure, claims, report } = readByRules(text)
  return encodeReading(structure, report, claims)
}

await serveTasks(handle, markTask('rules', sample))
