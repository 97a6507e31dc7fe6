import { describe, expect, it } from 'vitest'
import { fakeCluster, fakeRow, fakeStaticRow, storyNow } from '../../bridge/fake-views.ts'
import { goesOn, waits } from './away-facts.ts'

const web = fakeStaticRow({ name: 'web' })
const missing = fakeStaticRow({ name: 'log', mirror: 'missing', mirrorUid: null })
const stopping = fakeRow({
  name: 'gateway',
  worker: 'TerminatingPod',
  grace: { seconds: 30, startedAt: storyNow, killAt: storyNow + 21_000 },
})
const ended = fakeRow({ name: 'batch', worker: 'finished' })

describe('what goes on without the API server', () => {
  it('counts the workers at work and names each grace that runs', () => {
    expect(goesOn(fakeCluster(), [web, stopping, ended])).toEqual([
      { title: 'Two workers', text: 'syncs, restarts and kills go on' },
      {
        title: 'File and http sources',
        text: 'new manifests start; removed ones stop once every source has answered',
      },
      { title: 'Grace of gateway', text: 'SIGKILL at 14:02:52, as asked' },
      { title: 'Eviction by the kubelet', text: 'needs nobody’s leave' },
    ])
  })
})

describe('what waits for the API server', () => {
  it('names unpaired mirrors and pods that have ended', () => {
    expect(waits([web, missing, ended]).map((fact) => `${fact.title}: ${fact.text}`)).toEqual([
      'Statuses: kept in the cache, written when it answers',
      'One mirror: made or made anew only then: log',
      'Deleted pods stay as objects: the kubelet’s last DELETE cannot be sent: batch',
      'New pods from the API: not seen, and evictions through the API not asked',
      'The node’s lease: not renewed; the cluster may call the node Unknown while its pods run on',
    ])
  })

  it('leaves out what there is nothing of', () => {
    expect(waits([web]).map((fact) => fact.title)).toEqual([
      'Statuses',
      'New pods from the API',
      'The node’s lease',
    ])
  })
})
