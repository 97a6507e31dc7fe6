import { describe, expect, it } from 'vitest'
import { fakeMove } from '../../../bridge/fake-flow.ts'
import { exampleChain } from '../../../preview/flow-example.ts'
import { stepShown } from './followed.ts'
import { chainSteps, chainUids, podSteps, stepSentence } from './steps.ts'

describe('the steps of a followed cause', () => {
  it('are one for each arrow, in the order in which they were first taken, each with a sentence', () => {
    expect(
      chainSteps(exampleChain).map(({ number, arrow, sentence }) => [number, arrow, sentence]),
    ).toEqual([
      [1, 'file-podConfig', 'REMOVE web e694aa37…ccdf, and 1 more'],
      [2, 'podConfig-syncLoop', 'sync loop takes REMOVE of file, 1 pod'],
      [3, 'syncLoop-podManager', 'PodManager drops web, PodManager holds web'],
      [4, 'syncLoop-podWorkers', 'UpdatePod kill web: killed, and 1 more'],
      [5, 'podWorkers-runtime-stop', 'StopContainer web, grace 30 s, and 1 more'],
    ])
  })

  it('begin with what a probe found, not with the history of its container', () => {
    const seq = exampleChain.events.find(({ kind }) => kind === 'worker.updated')?.seq ?? 0
    expect(chainSteps({ ...exampleChain, seq }).map(({ arrow }) => arrow)).toEqual([
      // The nearest cause of that event.
      'syncLoop-podManager',
      'syncLoop-podWorkers',
      'podWorkers-runtime-stop',
    ])
  })

  it('lead to the UIDs of the pods that the cause touched', () => {
    expect([...chainUids(exampleChain)]).toEqual([
      'e694aa37abf20c91a442da4841aeccdf',
      'bbdbbd575d47c5d8a629979213e34add',
    ])
  })
})

describe('the step of a PLEG event', () => {
  it.each([
    [
      { kind: 'pod', uid: 'u', namespace: 'default', name: 'web' },
      'sync loop takes ContainerDied of web',
    ],
    // PodManager has dropped a removed pod before its containers exit: the node is the event's subject.
    [{ kind: 'node' }, 'sync loop takes ContainerDied of a pod that PodManager no longer has'],
  ] as const)('of %o: %s', (subject, words) => {
    const data = { type: 'ContainerDied', containerId: 'c' }
    const event = { kind: 'loop.pleg', subject, data, causes: [] } as const
    expect(
      stepSentence({ ...event, seq: 1, at: 0, cluster: 'sandbox', node: 'scope-node-1' }),
    ).toBe(words)
  })
})

describe('the steps of a followed pod', () => {
  it('are its last move along each arrow, oldest first, without those of other pods', () => {
    const recent = [
      fakeMove({
        arrow: 'statusManager-apiServer',
        seq: 9,
        text: 'PATCH',
        podUid: 'a',
        podName: 'web',
      }),
      fakeMove({
        arrow: 'pleg-syncLoop',
        seq: 8,
        text: 'ContainerDied',
        podUid: 'b',
        podName: 'db',
      }),
      fakeMove({
        arrow: 'statusManager-apiServer',
        seq: 7,
        text: 'PATCH',
        podUid: 'a',
        podName: 'web',
      }),
      fakeMove({
        arrow: 'syncLoop-podWorkers',
        seq: 5,
        text: 'update',
        podUid: 'a',
        podName: 'web',
      }),
    ]
    expect(podSteps(recent, 'a').map(({ number, sentence }) => [number, sentence])).toEqual([
      [1, 'update web'],
      [2, 'PATCH web'],
    ])
  })
})

describe('a replay step by step', () => {
  it.each([
    [0, 3],
    [1, 1],
    [3, 3],
    [4, 1],
    [-1, 2],
    [-3, 3],
  ])('after %i forwards shows the first %i of three steps', (replayStep, shown) => {
    expect(stepShown(replayStep, 3)).toBe(shown)
  })

  it('shows no step without steps', () => {
    expect(stepShown(2, 0)).toBe(0)
  })
})
