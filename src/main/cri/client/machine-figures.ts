/** What this machine has and uses, as cAdvisor and the kubelet read it (eviction#signals). */
import { readFile, stat, statfs } from 'node:fs/promises'
import { ok } from '../../../shared/result.ts'
import type {
  FsFigures,
  MemoryFigures,
  NodeFigures,
  StatsProvider,
} from '../../kubelet/eviction/stats.ts'
import type { ImageService } from '../../kubelet/ports.ts'

const meminfoFile = '/proc/meminfo'
const cgroup1Folder = '/sys/fs/cgroup/memory'
/** Of cgroups v2. */
const rootStatFile = '/sys/fs/cgroup/memory.stat'

interface MachineFiguresDeps {
  readonly now: () => number
  /** On the file system of what the kubelet writes. */
  readonly folder: string
  readonly imageService: Pick<ImageService, 'imageFsInfo'>
  /** Default: the file's text; undefined: it cannot be read. */
  readonly read?: ((path: string) => Promise<string | undefined>) | undefined
}

async function readHostFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}

/** `MemTotal:  8 kB`, `total_inactive_file 8192`: the number after a name. */
function numberIn(text: string | undefined, name: string): number | undefined {
  const line = text?.split('\n').find((one) => one.split(/[:\s]/)[0] === name)
  const value = Number(/\d+/.exec(line?.slice(name.length) ?? '')?.[0] ?? Number.NaN)
  return Number.isNaN(value) ? undefined : value
}

/** The working set is what is in use without files that can be dropped: of the root cgroup, or by /proc/meminfo where it has no such file. */
async function memoryOf({ now, read = readHostFile }: MachineFiguresDeps): Promise<MemoryFigures> {
  const time = now()
  const meminfo = await read(meminfoFile)
  const bytesOf = (name: string): number | undefined => {
    const kilobytes = numberIn(meminfo, name)
    return kilobytes === undefined ? undefined : kilobytes * 1024
  }
  const total = bytesOf('MemTotal')
  const usage1 = Number((await read(`${cgroup1Folder}/memory.usage_in_bytes`)) ?? Number.NaN)
  const isVersion1 = !Number.isNaN(usage1)
  const usageBytes = isVersion1
    ? usage1
    : total === undefined
      ? undefined
      : total - (bytesOf('MemFree') ?? 0)
  const inactive = isVersion1
    ? numberIn(await read(`${cgroup1Folder}/memory.stat`), 'total_inactive_file')
    : (numberIn(await read(rootStatFile), 'inactive_file') ?? bytesOf('Inactive(file)'))
  if (total === undefined || usageBytes === undefined) return { time }
  const workingSetBytes = Math.max(0, usageBytes - (inactive ?? 0))
  return { time, usageBytes, workingSetBytes, availableBytes: Math.max(0, total - workingSetBytes) }
}

async function fsOf(path: string, time: number): Promise<FsFigures | undefined> {
  try {
    const { blocks, bfree, bavail, bsize, files, ffree } = await statfs(path)
    return {
      time,
      capacityBytes: blocks * bsize,
      availableBytes: bavail * bsize,
      usedBytes: (blocks - bfree) * bsize,
      inodes: files,
      inodesFree: ffree,
      inodesUsed: files - ffree,
    }
  } catch {
    return undefined
  }
}

/** pkg/kubelet/stats/pidlimit: the smaller limit, and the tasks of the kernel. */
async function pidsOf({
  now,
  read = readHostFile,
}: MachineFiguresDeps): Promise<NodeFigures['rlimit']> {
  const limits = await Promise.all(
    ['pid_max', 'threads-max'].map((name) => read(`/proc/sys/kernel/${name}`)),
  )
  const numbers = limits.flatMap((text) => (text === undefined ? [] : [Number(text)]))
  const tasks = /\/(\d+)/.exec((await read('/proc/loadavg')) ?? '')?.[1]
  if (numbers.length === 0 || tasks === undefined) return undefined
  return { time: now(), maxPid: Math.min(...numbers), runningProcesses: Number(tasks) }
}

/** Where the runtime has images and writable layers; the folder of the kubelet where it does not say. */
async function runtimeFolders({ folder, imageService }: MachineFiguresDeps): Promise<{
  readonly images: string
  readonly containers: string
}> {
  const info = await imageService.imageFsInfo()
  const images = (info.ok ? info.value.imageFilesystems[0]?.mountpoint : undefined) ?? folder
  const containers = info.ok ? info.value.containerFilesystems[0]?.mountpoint : undefined
  return { images, containers: containers ?? images }
}

/** Undefined: there is no such folder here, as where the runtime is simulated. */
async function deviceOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).dev
  } catch {
    return undefined
  }
}

/** The memory of all pods is not known: Nodescope makes no cgroup for them. */
export function machineFigures(
  deps: MachineFiguresDeps,
): Pick<StatsProvider, 'node' | 'diskLayout'> {
  return {
    node: async () => {
      const { images, containers } = await runtimeFolders(deps)
      const time = deps.now()
      return ok({
        memory: await memoryOf(deps),
        nodeFs: await fsOf(deps.folder, time),
        imageFs: await fsOf(images, time),
        containerFs: await fsOf(containers, time),
        rlimit: await pidsOf(deps),
      })
    },
    diskLayout: async () => {
      const folders = await runtimeFolders(deps)
      const node = await deviceOf(deps.folder)
      const images = (await deviceOf(folders.images)) ?? node
      const containers = (await deviceOf(folders.containers)) ?? images
      return ok({
        hasDedicatedImageFs: images !== node,
        hasDedicatedContainerFs: containers !== images,
      })
    },
  }
}
