import type { ContainerHost } from '../kubelet/ports.ts'
import type { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'

/** The machine of a simulated runtime: its files are in memory, and the addresses of its DNS do not exist. */
export function simulatedHost(
  runtime: Pick<
    SimulatedRuntime,
    | 'hostFiles'
    | 'dirFilesystemInfo'
    | 'lastLogLines'
    | 'openLog'
    | 'pastUse'
    | 'nodeFigures'
    | 'notifyMemory'
    | 'logBytes'
    | 'memoryBytes'
  >,
): ContainerHost {
  return {
    files: runtime.hostFiles,
    dirFilesystemInfo: runtime.dirFilesystemInfo,
    lastLogLines: (id, count) => runtime.lastLogLines(id, count),
    openLog: (id, count) => runtime.openLog(id, count),
    pastUse: runtime.pastUse,
    nodeFigures: runtime.nodeFigures,
    notifyMemory: runtime.notifyMemory,
    logBytes: runtime.logBytes,
    rootFolder: '/var/lib/kubelet',
    simulatesStorage: true,
    podLogsFolder: '/var/log/pods',
    clusterDns: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    hostDns: { servers: ['192.0.2.53'] },
    memoryBytes: runtime.memoryBytes,
    cgroupDriver: 'CGROUPFS',
    hasCgroup2: true,
    hasSwapController: true,
    hugePageSizes: ['1GB', '2MB'],
  }
}
