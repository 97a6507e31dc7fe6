import { expect, it } from 'vitest'
import { nodeClockHost } from './node-clock-host.ts'

it('a wake-up in a hundred years does not fire at once', async () => {
  let isWoken = false
  const cancel = nodeClockHost.wakeAfter(100 * 365 * 24 * 3600 * 1000, () => {
    isWoken = true
  })
  await new Promise((resolve) => {
    setTimeout(resolve, 30)
  })
  cancel()
  expect(isWoken).toBe(false)
})
