/** Following what happens. */
import type { Concord } from '@concord/client'

export async function streamOwnScopeEvents(concord: Concord): Promise<void> {
  for await (const event of concord.streamOwnScopeEvents({ scopeId: 'first-case', after: 0 })) {
    if (event.type === 'resync') console.log(`read the scope anew, then go on after ${event.head}`)
    else if (event.type === 'contradiction.opened') console.log(event.data.severity)
    else if (event.type === 'document.processed') break
  }
}

export async function streamScopeEvents(concord: Concord): Promise<void> {
  const stream = concord.streamScopeEvents({ scopeId: 'first-case', after: 0 })
  for await (const event of stream) {
    console.log(event.type)
    if (event.type === 'document.processed') break
  }
  console.log(`go on later with after: ${stream.position}`)
}

export async function streamKernelEvents(concord: Concord): Promise<void> {
  for await (const event of concord.streamKernelEvents()) {
    console.log(event.type)
    break
  }
}

export async function streamKernelEventsDeprecated(concord: Concord): Promise<void> {
  // Call streamKernelEvents instead.
  for await (const event of concord.streamKernelEventsDeprecated()) {
    console.log(event.type)
    break
  }
}
