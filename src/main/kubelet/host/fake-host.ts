import { ok } from '../../../shared/result.ts'
import { SimulatedHostFiles } from '../../runtimes/simulated/files/simulated-host-files.ts'
import type { ContainerHost } from '../ports.ts'

/** A machine with files in memory. */
export function fakeHost(): ContainerHost {
  return {
    files: new SimulatedHostFiles({ now: () => 0 }),
    rootFolder: '/var/lib/kubelet',
    dirFilesystemInfo: () => Promise.resolve(ok(undefined)),
    simulatesStorage: true,
    podLogsFolder: '/var/log/pods',
    clusterDns: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    hostDns: { servers: ['1.1.1.1'], searches: ['example.org'], options: ['edns0'] },
    memoryBytes: 8 * 1024 ** 3,
    cgroupDriver: 'CGROUPFS',
    hasCgroup2: true,
    hasSwapController: false,
    hugePageSizes: [],
  }
}
