import { expect, it } from 'vitest'
import type { NodeAct, NodeActFacts } from './node-act.ts'
import { forecastNodeAct, nodeActs } from './node-act.ts'

const up: NodeActFacts = {
  node: 'n1',
  agent: 'running',
  machine: 'on',
  isShuttingDown: false,
  isCutOff: false,
  sandbox: true,
  readOnly: false,
}
const shuttingDown: NodeActFacts = { ...up, isShuttingDown: true }
const stopped: NodeActFacts = { ...up, agent: 'stopped' }
const off: NodeActFacts = { ...stopped, machine: 'off' }

function allowed(facts: NodeActFacts): readonly NodeAct[] {
  return nodeActs.filter((act) => forecastNodeAct(act, facts).isAllowed)
}

it.each<[string, NodeActFacts, readonly NodeAct[]]>([
  ['that works', up, ['restartAgent', 'stopAgent', 'shutDown', 'powerOff', 'cutOff']],
  ['that shuts down', shuttingDown, ['cancelShutDown', 'powerOff', 'cutOff']],
  ['without a kubelet', stopped, ['startAgent', 'powerOff', 'cutOff']],
  ['whose machine is off', off, ['boot', 'cutOff']],
  [
    'that is cut off',
    { ...up, isCutOff: true },
    ['restartAgent', 'stopAgent', 'shutDown', 'powerOff', 'reconnect'],
  ],
  [
    'of a real cluster',
    { ...up, sandbox: false, isCutOff: null },
    ['restartAgent', 'stopAgent', 'shutDown'],
  ],
  ['of a real cluster, without a kubelet', { ...stopped, sandbox: false, isCutOff: null }, []],
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
