import { amountText } from '../pressure/ranking-words.ts'
import { timedOutKill } from './event-words.ts'
import type { EventTable } from './event-words.ts'

/** Node pressure and evictions. */
export const pressureEvents = {
  'node.pressureChanged': {
    section: 'eviction#node-conditions',
    word: ({ conditions }) => conditions.join(', ') || 'no pressure',
    sentence: ({ conditions, thresholds }) => {
      if (conditions.length === 0)
        return 'The node is no longer under pressure: no threshold was met during the transition period.'
      const because = thresholds.length === 0 ? '' : `: ${thresholds.join(', ')} is met`
      return `The node reports ${conditions.join(' and ')}${because}.`
    },
  },
  'node.otherUseSet': {
    section: 'eviction#signals',
    sentence: ({ memoryBytes, diskBytes, inodes, processes }) =>
      `A user set on this page what the machine uses besides its pods: ${amountText('memory', memoryBytes)} of memory, ${amountText('ephemeral-storage', diskBytes)} of disk, ${inodes} inodes and ${processes} processes.`,
  },
  'eviction.thresholdMet': {
    section: 'eviction#eviction-loop',
    word: ({ signal }) => `${signal} low`,
    sentence: ({ signal, threshold, available, isHard }) =>
      `${signal} is ${available}, below the ${isHard ? 'hard' : 'soft'} threshold of ${threshold}: the kubelet reclaims, and evicts a pod if that is not enough.`,
  },
  'eviction.reclaimed': {
    section: 'eviction#node-level-reclaim',
    sentence: ({ signal, kinds, isEnough }) =>
      `The kubelet removed ${kinds.join(' and ')} to raise ${signal}; ${isEnough ? 'that is enough, no pod is evicted' : 'that is not enough, a pod is evicted'}.`,
  },
  'eviction.requested': {
    section: 'eviction#evicting-one-pod',
    word: 'evict',
    step: (_, name) => `evict ${name}`,
    sentence: ({ message, gracePeriodSeconds }) =>
      `The kubelet evicts the pod with a grace period of ${gracePeriodSeconds} s: ${message}`,
  },
  'eviction.refused': {
    section: 'eviction#evicting-one-pod',
    sentence: ({ message }) => `The kubelet does not evict the pod: ${message}`,
  },
  'eviction.completed': {
    section: 'eviction#evicting-one-pod',
    sentence: ({ timedOut }) =>
      timedOut
        ? timedOutKill('. The eviction is considered done; termination continues.')
        : 'The containers of the evicted pod have stopped; its object stays in the API.',
  },
} satisfies Partial<EventTable>
