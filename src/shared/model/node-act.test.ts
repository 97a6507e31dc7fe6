import { describe, expect, it } from 'vitest'
import type { NodeAct, NodeActFacts } from './node-act.ts'
import { forecastNodeAct, nodeActs } from './node-act.ts'
import type { CallFault } from './node/node-faults.ts'
import { noFaults, runtimeCallNames, runtimeCalls } from './node/node-faults.ts'

const up: NodeActFacts = {
  hasOtherNodes: true,
  node: 'n1',
  agent: 'running',
  machine: 'on',
  isShuttingDown: false,
  isCutOff: false,
  faults: noFaults,
  sandbox: true,
  readOnly: false,
}
const shuttingDown: NodeActFacts = { ...up, isShuttingDown: true }
const stopped: NodeActFacts = { ...up, agent: 'stopped' }
const off: NodeActFacts = { ...stopped, machine: 'off' }

/** What can be made to fail. */
const spoils: readonly NodeAct[] = [
  'runtimeDown',
  'runtimeHangs',
  'failCall',
  'fillDisk',
  'slowMounts',
]

const hangingStop: CallFault = { call: 'StopContainer', how: 'hangs', pod: null }

function allowed(facts: NodeActFacts): readonly NodeAct[] {
  return nodeActs.filter((act) => forecastNodeAct(act, facts, hangingStop).isAllowed)
}

it.each<[string, NodeActFacts, readonly NodeAct[]]>([
  ['that works', up, ['restartAgent', 'stopAgent', 'shutDown', 'powerOff', 'cutOff', ...spoils]],
  ['that shuts down', shuttingDown, ['cancelShutDown', 'powerOff', 'cutOff', ...spoils]],
  ['without a kubelet', stopped, ['startAgent', 'powerOff', 'cutOff', ...spoils]],
  ['whose machine is off', off, ['boot', 'cutOff']],
  [
    'that is cut off',
    { ...up, isCutOff: true },
    ['restartAgent', 'stopAgent', 'shutDown', 'powerOff', 'reconnect', ...spoils],
  ],
  [
    'of a real cluster',
    { ...up, sandbox: false, isCutOff: null },
    ['restartAgent', 'stopAgent', 'shutDown', ...spoils],
  ],
  ['of a real cluster, without a kubelet', { ...stopped, sandbox: false, isCutOff: null }, spoils],
  [
    'with a real disk',
    { ...up, faults: { ...noFaults, isDiskFull: null } },
    [
      'restartAgent',
      'stopAgent',
      'shutDown',
      'powerOff',
      'cutOff',
      'runtimeDown',
      'runtimeHangs',
      'failCall',
      'slowMounts',
    ],
  ],
  [
    'on which everything fails',
    {
      ...up,
      faults: { runtime: 'hangs', call: hangingStop, isDiskFull: true, hasSlowMounts: true },
    },
    [
      'restartAgent',
      'stopAgent',
      'shutDown',
      'powerOff',
      'cutOff',
      'runtimeDown',
      'runtimeAnswers',
      'failCall',
      'callsAnswer',
      'freeDisk',
      'usualMounts',
    ],
  ],
  ['that is only looked at', { ...up, readOnly: true }, []],
])('to a node %s may be done what makes sense there', (_, facts, acts) => {
  expect(allowed(facts)).toEqual(acts)
})

it('what may not be done says why in a sentence', () => {
  for (const facts of [
    up,
    shuttingDown,
    stopped,
    off,
    { ...stopped, sandbox: false, isCutOff: null },
  ])
    for (const act of nodeActs) {
      const { isAllowed, refusal } = forecastNodeAct(act, facts)
      expect(refusal === '').toBe(isAllowed)
      if (!isAllowed) expect(refusal).toMatch(/^[A-Zn].*\.$/)
    }
})

describe('a runtime call that is to fail', () => {
  const pod = { namespace: 'default', name: 'web' }

  it('has to be named', () => {
    expect(forecastNodeAct('failCall', up, null).refusal).toBe(
      'Name the runtime call that is to fail.',
    )
  })

  it.each(runtimeCallNames)(
    '%s says what follows, and for one pod only if it names one',
    (call) => {
      const { summary, refusal } = forecastNodeAct('failCall', up, { call, how: 'fails', pod })
      expect(summary).toContain(`Each ${call} of default/web fails at once. `)
      expect(refusal === '').toBe(runtimeCalls[call].ofPod)
    },
  )

  it('changes Ready where the kubelet needs the call for it', () => {
    const ready = runtimeCallNames.filter(
      (call) => forecastNodeAct('failCall', up, { call, how: 'hangs', pod: null }).effect.ready,
    )
    expect(ready).toEqual(['ListContainers', 'ListPodSandbox', 'Status'])
  })
})

it('without another node the control plane keeps the pods of a lost one', () => {
  const alone = { ...up, hasOtherNodes: false }
  for (const act of ['stopAgent', 'powerOff', 'cutOff', 'runtimeDown', 'runtimeHangs'] as const) {
    expect(forecastNodeAct(act, up).effect.podsDeleted).not.toBeNull()
    const { effect, cluster } = forecastNodeAct(act, alone)
    expect(effect.podsDeleted).toBeNull()
    expect(cluster).toContain('stops evictions and deletes no pods')
  }
})
