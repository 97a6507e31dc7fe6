import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { ok } from '../../../shared/result.ts'
import { SimulatedHostFiles } from '../../runtimes/simulated/files/simulated-host-files.ts'
import type { ContainerStats } from '../cri-types.ts'
import { podUidLabel } from '../kuberuntime/container-labels.ts'
import type { ContainerHost } from '../ports.ts'
import { RuntimeStats } from './runtime-stats.ts'
import type { PodFigures } from './stats.ts'

const block = 4096
const folder = '/var/lib/kubelet/pods/u'
const logs = '/var/log/pods/default_p_u/c'
const writableLayerBytes = 100

const pod: Pod = {
  metadata: { name: 'p', namespace: 'default', uid: 'u' },
  spec: {
    containers: [{ name: 'c', image: 'i' }],
    volumes: [
      { name: 'data', emptyDir: {} },
      { name: 'memory', emptyDir: { medium: 'Memory' } },
    ],
  },
}

const used = { timestamp: 0, mountpoint: '/', usedBytes: writableLayerBytes, inodesUsed: 1 }
// The figures of its processor are not read here.
const stats = {
  id: 'id',
  name: 'c',
  attempt: 0,
  labels: { [podUidLabel]: 'u' },
  annotations: {},
  memory: { workingSetBytes: 7 },
  writableLayer: used,
} as unknown as ContainerStats

/** Of the pod, with these files: what a kubelet of its machine would find. */
async function figuresWith(files: Readonly<Record<string, string>>): Promise<PodFigures> {
  const host = new SimulatedHostFiles({ now: () => 0 })
  for (const [path, text] of Object.entries(files)) {
    await host.makeFolder(path.slice(0, path.lastIndexOf('/')))
    await host.write(path, text)
  }
  // What else a machine tells is not asked for.
  const containerHost = {
    files: host,
    rootFolder: '/var/lib/kubelet',
    podLogsFolder: '/var/log/pods',
  } as unknown as ContainerHost
  const runtimeService = {
    listContainerStats: () => Promise.resolve(ok([stats])),
    listPodSandboxStats: () => Promise.resolve(ok([])),
  }
  const found = await new RuntimeStats({ runtimeService, containerHost, podOf: () => pod }).pods()
  if (!found.ok || found.value[0] === undefined) throw new Error('no figures')
  return found.value[0]
}

describe('what a pod uses on the disk of its node', () => {
  const volume = `${folder}/volumes/kubernetes.io~empty-dir/data`

  it('counts whole blocks of the files of an emptyDir volume, and its folders', async () => {
    const { volumes } = await figuresWith({ [`${volume}/a`]: 'x', [`${volume}/b/c`]: 'x' })
    expect(volumes).toEqual([{ name: 'data', usedBytes: 4 * block, inodesUsed: 4 }])
  })

  it('counts the files in the folder of the logs without the folder', async () => {
    const { containers } = await figuresWith({
      [`${logs}/0.log`]: 'x',
      [`${logs}/1.log`]: 'x'.repeat(block + 1),
      [`${logs}/folder/file`]: 'x',
    })
    expect(containers[0]?.logs).toEqual({ usedBytes: 3 * block, inodesUsed: 2 })
  })

  it('adds the hosts file of the pod to its whole use', async () => {
    const { ephemeralStorageBytes } = await figuresWith({
      [`${folder}/etc-hosts`]: 'x',
      [`${volume}/a`]: 'x',
      [`${logs}/0.log`]: 'x',
    })
    expect(ephemeralStorageBytes).toBe(writableLayerBytes + 4 * block)
  })
})
