import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { nodeHostFiles } from '../../files/node-host-files.ts'
import type { DnsConfig } from '../../kubelet/cri-types.ts'
import type { ContainerHost, DirFilesystemInfo } from '../../kubelet/ports.ts'
import { err, ok } from '../../../shared/result.ts'

const resolverFile = '/etc/resolv.conf'
/** The kubelet's maxResolvConfLength. */
const longestResolverFile = 10 * 1024 * 1024
/** Only cgroups v2 has it at the root. */
const cgroup2File = '/sys/fs/cgroup/cgroup.controllers'

/** kubelet network/dns parseResolvConf: of `search` and of each option the last one counts. */
export function parseResolverFile(text: string): DnsConfig {
  const servers: string[] = []
  let searches: readonly string[] = []
  const options = new Map<string, string>()
  for (const line of text.slice(0, longestResolverFile).split('\n')) {
    const [keyword = '', ...values] = line.trim().split(/\s+/)
    if (keyword === 'nameserver') servers.push(...values.slice(0, 1))
    if (keyword === 'search')
      searches = values.filter((value) => value !== '.').map((value) => value.replace(/\.$/, ''))
    if (keyword === 'options')
      for (const option of values) options.set(option.split(':')[0] ?? '', option)
  }
  return { servers, searches, options: [...options.values()] }
}

function hostDns(): DnsConfig {
  try {
    return parseResolverFile(readFileSync(resolverFile, 'utf8'))
  } catch {
    // A machine without DNS.
    return {}
  }
}

const dirFilesystemInfo: DirFilesystemInfo = async (folder) => {
  try {
    const { blocks, bavail, bsize } = await statfs(folder)
    return ok({ capacityBytes: blocks * bsize, availableBytes: bavail * bsize })
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error))
  }
}

/** Of cgroups v1. */
const swapFile = '/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes'

/** The root of cgroups v2 has none, so it is that of this process (kubelet checkSwapControllerAvailability). */
function swapFileOfGroup(): string {
  try {
    const group = readFileSync('/proc/self/cgroup', 'utf8').trim().split(':')[2] ?? ''
    return join('/sys/fs/cgroup', group, 'memory.swap.max')
  } catch {
    return ''
  }
}

/** opencontainers/cgroups HugePageSizes: from names like `hugepages-2048kB`. */
function hugePageSizes(): readonly string[] {
  try {
    const names = readdirSync('/sys/kernel/mm/hugepages')
    return names.flatMap((name) => {
      const kilobytes = Number(/^hugepages-(\d+)kB$/.exec(name)?.[1])
      if (Number.isNaN(kilobytes)) return []
      if (kilobytes >= 1 << 20) return [`${kilobytes >> 20}GB`]
      return [kilobytes >= 1 << 10 ? `${kilobytes >> 10}MB` : `${kilobytes}KB`]
    })
  } catch {
    // A kernel without huge pages.
    return []
  }
}

/**
 * This machine, for the containers of a runtime on it. `folder`: of everything that the kubelet writes for pods. The
 * cluster's DNS is not known until it is configured: pods get the machine's.
 */
export function machineHost(
  folder: string,
  cgroupDriver: ContainerHost['cgroupDriver'],
): ContainerHost {
  const hasCgroup2 = existsSync(cgroup2File)
  return {
    files: nodeHostFiles,
    rootFolder: join(folder, 'kubelet'),
    simulatesStorage: false,
    podLogsFolder: join(folder, 'pod-logs'),
    dirFilesystemInfo,
    clusterDns: [],
    clusterDomain: '',
    hostDns: hostDns(),
    memoryBytes: totalmem(),
    cgroupDriver,
    hasCgroup2,
    hasSwapController: existsSync(hasCgroup2 ? swapFileOfGroup() : swapFile),
    hugePageSizes: hugePageSizes(),
  }
}
