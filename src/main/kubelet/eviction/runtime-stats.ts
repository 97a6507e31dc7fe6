/** What the machine and the container runtime say of their use (kubelet stats/cri_stats_provider.go; eviction#signals). */
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { ContainerStats } from '../cri-types.ts'
import type { HostFiles } from '../host/host-files.ts'
import { podUidLabel } from '../kuberuntime/container-labels.ts'
import { hostsFileOf } from '../pod/hosts-file.ts'
import { podNamespace } from '../pod/identity.ts'
import { podFolder } from '../pod/pod-folders.ts'
import type { ContainerHost, RuntimeService } from '../ports.ts'
import { isLocalEphemeralVolume } from './rank-pods.ts'
import type { ContainerFigures, PodFigures, StatsProvider } from './stats.ts'

interface RuntimeStatsDeps {
  readonly runtimeService: Pick<RuntimeService, 'listContainerStats' | 'listPodSandboxStats'>
  readonly containerHost?: ContainerHost | undefined
  readonly podOf: (uid: string) => Pod | undefined
}

type Volume = PodFigures['volumes'][number]

const emptyDirPlugin = 'kubernetes.io~empty-dir'

export class RuntimeStats implements StatsProvider {
  readonly #deps: RuntimeStatsDeps

  constructor(deps: RuntimeStatsDeps) {
    this.#deps = deps
  }

  readonly node: StatsProvider['node'] = async () =>
    (await this.#deps.containerHost?.nodeFigures?.()) ?? ok({})

  readonly diskLayout: StatsProvider['diskLayout'] = async () =>
    (await this.#deps.containerHost?.diskLayout?.()) ??
    ok({ hasDedicatedImageFs: false, hasDedicatedContainerFs: false })

  readonly pods: StatsProvider['pods'] = async (uids) => {
    const { runtimeService } = this.#deps
    const listed = await runtimeService.listContainerStats()
    if (!listed.ok) return err(`failed to list all container stats: ${listed.error.message}`)
    const byPod = new Map<string, ContainerStats[]>()
    for (const stats of listed.value) {
      const uid = stats.labels[podUidLabel] ?? ''
      if (uids?.has(uid) === false) continue
      const own = byPod.get(uid)
      if (own === undefined) byPod.set(uid, [stats])
      else own.push(stats)
    }
    const processes = await this.#processes()
    return ok(
      await Promise.all(
        [...byPod].map(([uid, stats]) => this.#podFigures(uid, stats, processes.get(uid))),
      ),
    )
  }

  /** By pod UID. A runtime that does not say counts none. */
  async #processes(): Promise<ReadonlyMap<string, number>> {
    const listed = await this.#deps.runtimeService.listPodSandboxStats()
    if (!listed.ok) return new Map()
    return new Map(
      listed.value.map(({ metadata, process }) => [metadata.uid, process.processCount]),
    )
  }

  async #podFigures(
    uid: string,
    stats: readonly ContainerStats[],
    processes: number | undefined,
  ): Promise<PodFigures> {
    const pod = this.#deps.podOf(uid)
    const containers = await Promise.all(stats.map((one) => this.#containerFigures(pod, one)))
    const volumes = pod === undefined ? [] : await this.#volumes(pod)
    const hosts = await this.#hostsFile(uid)
    const sum = (numbers: readonly (number | undefined)[]): number =>
      numbers.reduce<number>((total, one) => total + (one ?? 0), 0)
    return {
      uid,
      workingSetBytes: sum(containers.map(({ workingSetBytes }) => workingSetBytes)),
      processes,
      containers,
      volumes,
      ephemeralStorageBytes: sum([
        ...containers.flatMap(({ rootfs, logs }) => [rootfs?.usedBytes, logs?.usedBytes]),
        ...volumes.map(({ usedBytes }) => usedBytes),
        hosts,
      ]),
    }
  }

  async #containerFigures(
    pod: Pod | undefined,
    { id, name, memory, writableLayer }: ContainerStats,
  ): Promise<ContainerFigures> {
    const { usedBytes, inodesUsed } = writableLayer
    return {
      name,
      workingSetBytes: memory.workingSetBytes,
      rootfs: { usedBytes, inodesUsed },
      logs: await this.#logs(pod, id, name),
    }
  }

  async #logs(pod: Pod | undefined, id: string, name: string): Promise<ContainerFigures['logs']> {
    const host = this.#deps.containerHost
    if (host === undefined || pod === undefined) return undefined
    if (host.logBytes !== undefined) return { usedBytes: host.logBytes(id), inodesUsed: 1 }
    const { metadata } = pod
    const folder = [podNamespace(pod), metadata.name, metadata.uid].join('_')
    return usedByFilesIn(host.files, `${host.podLogsFolder}/${folder}/${name}`)
  }

  /** Bytes of the pod's /etc/hosts; 0 where the kubelet does not write one. */
  async #hostsFile(uid: string): Promise<number> {
    const host = this.#deps.containerHost
    if (host === undefined) return 0
    const stat = await host.files.lstat(hostsFileOf(host, uid))
    return stat.ok ? stat.value.allocatedBytes : 0
  }

  /** Volumes that count for the disk of the node: what the kubelet itself writes is too little to be measured. */
  async #volumes(pod: Pod): Promise<readonly Volume[]> {
    const host = this.#deps.containerHost
    if (host === undefined) return []
    const folder = `${podFolder(host, pod.metadata.uid)}/volumes/${emptyDirPlugin}`
    const local = (pod.spec.volumes ?? []).filter(
      (volume) => isLocalEphemeralVolume(volume) && 'emptyDir' in volume,
    )
    return Promise.all(
      local.map(async ({ name }) => ({
        name,
        ...(await usedBelow(host.files, `${folder}/${name}`)),
      })),
    )
  }
}

interface UsedOnDisk {
  readonly usedBytes: number
  readonly inodesUsed: number
}

const nothing: UsedOnDisk = { usedBytes: 0, inodesUsed: 0 }

function sumOf(all: readonly UsedOnDisk[]): UsedOnDisk {
  return all.reduce(
    (sum, one) => ({
      usedBytes: sum.usedBytes + one.usedBytes,
      inodesUsed: sum.inodesUsed + one.inodesUsed,
    }),
    nothing,
  )
}

/** Everything in a folder, and the folder (pkg/volume/util/fs: DiskUsage). */
async function usedBelow(files: HostFiles, path: string): Promise<UsedOnDisk> {
  const stat = await files.lstat(path)
  if (!stat.ok) return nothing
  const own = { usedBytes: stat.value.allocatedBytes, inodesUsed: 1 }
  if (stat.value.kind !== 'folder') return own
  const below: UsedOnDisk[] = []
  for (const name of await namesIn(files, path))
    below.push(await usedBelow(files, `${path}/${name}`))
  return sumOf([own, ...below])
}

/** The files in a folder, without the folder and those in it. */
async function usedByFilesIn(files: HostFiles, path: string): Promise<UsedOnDisk> {
  const used: UsedOnDisk[] = []
  for (const name of await namesIn(files, path)) {
    const stat = await files.lstat(`${path}/${name}`)
    if (stat.ok && stat.value.kind !== 'folder')
      used.push({ usedBytes: stat.value.allocatedBytes, inodesUsed: 1 })
  }
  return sumOf(used)
}

async function namesIn(files: HostFiles, path: string): Promise<readonly string[]> {
  const listed = await files.list(path)
  return listed.ok ? listed.value : []
}
