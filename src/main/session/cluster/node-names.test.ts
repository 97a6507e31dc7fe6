import { expect, it } from 'vitest'
import { nodeNames } from './node-names.ts'

it.each([
  ['scope-node-1', 3, ['scope-node-1', 'scope-node-2', 'scope-node-3']],
  ['rack-7', 2, ['rack-7', 'rack-8']],
  ['worker', 3, ['worker', 'worker-2', 'worker-3']],
  ['node1', 2, ['node1', 'node1-2']],
  ['n', 1, ['n']],
])('nodes after %s are numbered from it', (first, count, names) => {
  expect(nodeNames(first, count)).toEqual(names)
})
