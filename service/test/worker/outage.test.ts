/** How a worker waits for a database that is away. */
import { describe, expect, it } from 'vitest'
import { createOutage } from '../../src/worker/outage.ts'

/** Fails so often, then answers. */
function askFailing(times: number) {
  const stage = { asked: 0 }
  const ask = async () => {
    stage.asked += 1
    if (stage.asked <= times) throw new Error('away')
  }
  return { stage, ask }
}

describe('an outage', () => {
  it('is over at once where nobody noted one, and nothing is asked', async () => {
    const { stage, ask } = askFailing(0)
    await createOutage(ask, 1).over()
    expect(stage.asked).toBe(0)
  })

  it('lasts until the first answer, and one asks for all who noted it', async () => {
    const { stage, ask } = askFailing(3)
    const outage = createOutage(ask, 1)
    for (let noted = 0; noted < 5; noted += 1) outage.note()
    await Promise.all([outage.over(), outage.over()])
    expect(stage.asked).toBe(4)
  })

  it('can come again', async () => {
    const { stage, ask } = askFailing(1)
    const outage = createOutage(ask, 1)
    outage.note()
    await outage.over()
    outage.note()
    await outage.over()
    expect(stage.asked).toBe(3)
  })

  it('keeps nobody waiting once it is ended', async () => {
    const outage = createOutage(() => Promise.reject(new Error('away')), 60_000)
    outage.note()
    const over = outage.over()
    outage.end()
    await expect(over).resolves.toBeUndefined()
  })
})
