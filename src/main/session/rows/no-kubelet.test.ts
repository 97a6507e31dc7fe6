import { expect, it } from 'vitest'
import { fakePod } from '../../kubelet/pod/fake-pod.ts'
import { whyNoKubelet } from './no-kubelet.ts'

const node = { name: 'n1', isRunning: true, isCutOff: false }
const bound = { nodeName: 'n1', containers: [{ name: 'c', image: 'x' }] }

it.each([
  ['is not seen yet', bound, node, 'It is bound to n1; the kubelet has not seen it yet.'],
  [
    'is malformed',
    { ...bound, containers: [] },
    node,
    'It is bound to n1, whose kubelet ignores it as malformed: spec.containers: at least one is required.',
  ],
  [
    'is bound to a node whose kubelet does not run',
    bound,
    { ...node, isRunning: false },
    'It is bound to n1, whose kubelet does not run.',
  ],
  [
    'is bound to a node that is not here',
    bound,
    undefined,
    'It is bound to n1, and no kubelet for that node runs here.',
  ],
])('says why no kubelet has a pod that %s', (_, spec, at, sentence) => {
  expect(whyNoKubelet(fakePod({ spec }), at)).toEqual({
    reason: sentence,
    isMomentary: sentence.endsWith('has not seen it yet.'),
  })
})

it.each([
  ['has not been seen by the scheduler', '', true],
  ['was refused by it', '0/1 nodes are available: 1 Insufficient cpu.', false],
])('a pod that %s waits for a moment: %s, %s', (_, message, isMomentary) => {
  const pod = fakePod({ spec: { ...bound, nodeName: '' } })
  const conditions = [{ type: 'PodScheduled', status: 'False' as const, message }]
  const refused = { ...pod, status: { conditions } }
  expect(whyNoKubelet(refused, undefined)).toEqual({
    reason: message || 'The scheduler has not processed it yet.',
    isMomentary,
  })
})
