import { describe, expect, it } from 'vitest'
import type { ShutdownGroupView } from '../../../shared/model/node/node-shutdown-view.ts'
import { noShutdown } from '../../../shared/model/node/node-shutdown-view.ts'
import { attention } from './attention.tsx'

const { meaning } = attention.node.shuttingDown

const group: ShutdownGroupView = {
  priority: 0,
  seconds: 20,
  pods: ['default/a', 'default/b'],
  stopped: 1,
  state: 'running',
  startedAt: 0,
  endedAt: null,
}

describe('the banner of a node that is shutting down', () => {
  it.each([
    ['waiting', 'priority 0: waits, 2 to stop in 20 s at most.'],
    ['running', 'priority 0: 1 of 2 stopped, 20 s at most.'],
    ['done', 'priority 0: done, 1 of 2 stopped.'],
    ['timedOut', 'priority 0: timed out, 1 of 2 stopped.'],
    ['empty', 'priority 0: no pods.'],
  ] as const)('says how a group in state %s stands', (state, words) => {
    const sentence = meaning({ ...noShutdown, groups: [{ ...group, state }] })
    expect(sentence).toBe(`It rejects new pods and terminates its own. ${words}`)
  })

  it('says that a canceled shutdown still runs through all groups', () => {
    expect(meaning({ ...noShutdown, groups: [group], cancelRequested: true })).toContain(
      'It is canceled, which takes effect after the last group.',
    )
  })
})
