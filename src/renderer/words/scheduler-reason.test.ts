import { expect, it } from 'vitest'
import { shortReason } from './scheduler-reason.ts'

it.each([
  [
    '0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    '1 Insufficient cpu, 2 node(s) had untolerated taint(s)',
  ],
  ['no nodes available to schedule pods', 'no nodes available to schedule pods'],
  [
    'It is bound to n-1, whose kubelet does not run.',
    'It is bound to n-1, whose kubelet does not run',
  ],
])('the short reason of %j', (message, short) => {
  expect(shortReason(message)).toBe(short)
})
