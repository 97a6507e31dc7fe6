import { describe, expect, it } from 'vitest'
import { fakeCluster, fakeRow, fakeStaticRow, fakeNow } from '../../bridge/fake-views.ts'
import { fakeSeenCluster } from '../../bridge/fake-seen.ts'
import { continuing, waiting } from './outage-facts.ts'

const web = fakeStaticRow({ name: 'web' })
const missing = fakeStaticRow({ name: 'log', mirror: 'missing', mirrorUid: null })
const stopping = fakeRow({
  name: 'gateway',
  worker: 'TerminatingPod',
  grace: { seconds: 30, startedAt: fakeNow, killAt: fakeNow + 21_000 },
})
const ended = fakeRow({ name: 'batch', worker: 'finished', status: 'Terminating' })
const completed = fakeRow({ name: 'report', worker: 'finished', status: 'Completed' })

describe('continuing', () => {
  it('counts the active workers and names each pod in its grace period', () => {
    expect(
      continuing(fakeCluster(), [web, stopping, ended]).map(
        ({ title, text }) => `${title}: ${text}`,
      ),
    ).toEqual([
      'Two workers: syncs, restarts and kills continue',
      'File and http sources: new manifests start; removed ones stop once every source has answered',
      'Grace of gateway: SIGKILL at 14:02:52, as planned',
      'Eviction by the kubelet: needs no API server',
    ])
  })
})

it('counts nothing of kubelets that run elsewhere', () => {
  const facts = [...continuing(fakeSeenCluster(), []), ...waiting(fakeSeenCluster(), [])]
  expect(facts.map(({ title, text }) => `${title}: ${text}`)).toEqual([
    'Pod workers: syncs, restarts and kills continue',
    'Eviction by the kubelet: needs no API server',
    'Statuses: new ones are cached and written when the API server responds',
    'Events: more than 1000 are dropped',
    'New pods from the API: not received; evictions through the API are impossible',
  ])
})

describe('waiting', () => {
  const plain = fakeCluster()
  const busy = {
    ...plain,
    nodes: plain.nodes.map((node) => ({
      ...node,
      unsentStatuses: { count: 4, names: ['default/a', 'default/b', 'default/c', 'default/d'] },
      heldEvents: 11,
    })),
  }

  it('names statuses, unmatched mirrors and deleted pods, and counts events', () => {
    expect(
      waiting(busy, [web, missing, ended]).map((fact) => `${fact.title}: ${fact.text}`),
    ).toEqual([
      'Four statuses unsent: default/a, default/b, default/c and 1 more',
      'One mirror: created or recreated only then: log',
      'Deleted pods stay as objects: the kubelet’s last DELETE cannot be sent: batch',
      '11 events held: more than 1000 are dropped',
      'New pods from the API: not received; evictions through the API are impossible',
    ])
  })

  it('has no line for mirrors that match and for pods that completed without a delete', () => {
    expect(waiting(plain, [web, completed]).map((fact) => `${fact.title}: ${fact.text}`)).toEqual([
      'Statuses: none is waiting; new ones are cached and written when the API server responds',
      'Events: more than 1000 are dropped',
      'New pods from the API: not received; evictions through the API are impossible',
    ])
  })
})
