import { describe, expect, it } from 'vitest'
import { podCgroups } from '../../../src/main/kubelet/cm/pod-cgroups.ts'
import { fakeHost } from '../../../src/main/kubelet/host/fake-host.ts'
import type { ContainerHost } from '../../../src/main/kubelet/ports.ts'
import type { Pod, ResourceRequirements } from '../../../src/shared/kubernetes/objects.ts'
import type { CgroupFile } from '../../../src/shared/model/inside-pod/pod-cgroups.ts'

const simulated = { isSimulated: true }

function podOf(...containers: readonly ResourceRequirements[]): Pod {
  return {
    metadata: { name: 'p', namespace: 'n', uid: 'a-1' },
    spec: {
      containers: containers.map((resources, index) => ({
        name: `c${index}`,
        image: 'i',
        resources,
      })),
    },
  }
}

const both = { cpu: '250m', memory: '256Mi' }
const guaranteed = podOf({ requests: both, limits: both })
const burstable = podOf({ requests: { cpu: '100m', memory: '4Gi' }, limits: { memory: '6Gi' } })
const unlimited = podOf({ requests: both, limits: both }, { requests: { cpu: '1' } })
const bestEffort = podOf({})

function told(files: readonly CgroupFile[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    files.map(({ name, value, amount, isSet }) => [
      name,
      `${value}${amount === '' ? '' : ` (${amount})`}${isSet ? '' : ' unset'}`,
    ]),
  )
}

function shownOf(pod: Pod, host: Partial<ContainerHost> = {}) {
  const all = podCgroups(pod, { ...fakeHost(), ...host }, simulated)
  return { ...all, pod: told(all.pod), containers: all.containers.map(({ files }) => told(files)) }
}

describe('containers#cgroups', () => {
  it.each([
    [guaranteed, 'CGROUPFS', '/kubepods/poda-1'],
    [burstable, 'CGROUPFS', '/kubepods/burstable/poda-1'],
    [bestEffort, 'CGROUPFS', '/kubepods/besteffort/poda-1'],
    [
      burstable,
      'SYSTEMD',
      '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-poda_1.slice',
    ],
    [guaranteed, 'none', ''],
  ] as const)('has a path by QoS class and driver', (pod, cgroupDriver, path) => {
    expect(shownOf(pod, { cgroupDriver }).path).toBe(path)
  })

  it('limits a Guaranteed pod and its container', () => {
    expect(shownOf(guaranteed)).toEqual({
      qosClass: 'Guaranteed',
      path: '/kubepods/poda-1',
      version: 2,
      isSimulated: true,
      pod: {
        'cpu.weight': '10 (256)',
        'cpu.max': '25000 100000 (250m)',
        'memory.max': '268435456 (256Mi)',
        'pids.max': 'max unset',
      },
      containers: [
        {
          'cpu.weight': '10 (256)',
          'cpu.max': '25000 100000 (250m)',
          'memory.max': '268435456 (256Mi)',
          'memory.oom.group': '1',
          oom_score_adj: '-997',
        },
      ],
    })
  })

  it('limits a Burstable pod where all its containers are limited', () => {
    const { pod, containers } = shownOf(burstable)
    expect(pod).toEqual({
      'cpu.weight': '4 (102)',
      'cpu.max': 'max 100000 unset',
      'memory.max': '6442450944 (6Gi)',
      'pids.max': 'max unset',
    })
    expect(containers[0]).toMatchObject({ 'cpu.max': 'max 100000', oom_score_adj: '500' })
    expect(shownOf(unlimited).pod).toMatchObject({
      'cpu.weight': '49 (1280)',
      'cpu.max': 'max 100000 unset',
      'memory.max': 'max unset',
    })
  })

  it('gives a BestEffort pod the least weight', () => {
    const { pod, containers } = shownOf(bestEffort, { hasSwapController: true })
    expect(pod).toMatchObject({ 'cpu.weight': '1 (2)', 'memory.max': 'max unset' })
    expect(containers[0]).toMatchObject({
      'cpu.weight': '1 (2)',
      'memory.swap.max': '0',
      oom_score_adj: '1000',
    })
  })

  it('limits huge pages of all sizes of the machine', () => {
    const pages = { 'hugepages-2Mi': '4Mi', memory: '64Mi' }
    const { pod, containers } = shownOf(podOf({ requests: pages, limits: pages }), {
      hugePageSizes: ['1GB', '2MB'],
    })
    const limits = { 'hugetlb.1GB.max': '0', 'hugetlb.2MB.max': '4194304 (4Mi)' }
    expect(pod).toMatchObject(limits)
    expect(containers[0]).toMatchObject(limits)
  })

  it('names the files of cgroups v1', () => {
    const { version, pod, containers } = shownOf(guaranteed, {
      hasCgroup2: false,
      hasSwapController: true,
    })
    expect(version).toBe(1)
    expect(pod).toEqual({
      'cpu.shares': '256',
      'cpu.cfs_quota_us': '25000 (250m)',
      'cpu.cfs_period_us': '100000',
      'memory.limit_in_bytes': '268435456 (256Mi)',
      'pids.max': 'max unset',
    })
    expect(containers[0]).toMatchObject({ 'memory.memsw.limit_in_bytes': '268435456 (256Mi)' })
    expect(shownOf(bestEffort, { hasCgroup2: false }).pod).toMatchObject({
      'cpu.cfs_quota_us': '-1 unset',
      'cpu.cfs_period_us': '100000 unset',
      'memory.limit_in_bytes': '-1 unset',
    })
  })
})
