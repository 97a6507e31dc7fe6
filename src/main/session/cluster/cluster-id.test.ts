import { describe, expect, it } from 'vitest'
import { fakePod } from '../../kubelet/pod/fake-pod.ts'
import { clusterIdOf } from './cluster-id.ts'
import { idleWorker } from '../rows/fake-worker-view.ts'
import { podRow } from '../rows/pod-row.ts'

describe('the id of a joined cluster', () => {
  it.each([
    ['kind-shop', 'kind-shop'],
    ['arn:aws:eks:eu-west-1:1:cluster/shop', 'arn:aws:eks:eu-west-1:1:cluster_shop'],
    ['default/api-shop:6443/admin', 'default_api-shop:6443_admin'],
  ])('of the context %s is %s', (contextName, id) => {
    expect(clusterIdOf(contextName)).toBe(id)
  })

  it('is the text before the first slash of a pod’s key', () => {
    const cluster = clusterIdOf('arn:aws:eks:eu-west-1:1:cluster/shop')
    const known = {
      cluster,
      node: 'n',
      pod: fakePod(),
      mirror: undefined,
      localStatus: undefined,
      worker: idleWorker,
      grace: undefined,
      runningContainers: 0,
      api: undefined,
      noKubelet: '',
      isListed: true,
      mirrorFailure: undefined,
      isServerAway: false,
      notSimulated: [],
    }
    expect(podRow(known, 0).key.split('/', 2)).toEqual([cluster, 'n'])
  })
})
