import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import type {
  PodVolumes,
  VariableView,
  VolumeFailure,
  VolumeView,
} from '../../../../shared/model/inside-pod/pod-volumes.ts'
import { isHoldingUp, isMissing } from './volume-order.ts'

/**
 * What holds the pod up, or would: `mount`: no container starts before the volume is mounted; `start`: a container cannot be
 * made; `update`: the files of a mounted volume stay as they are; `next`: the next start of a running container fails.
 */
export type Headline =
  | {
      readonly kind: 'mount' | 'update'
      readonly volume: string
      readonly failure: VolumeFailure
      /** What would stop a container after that; undefined: nothing that is known. */
      readonly after: VariableView | undefined
    }
  | {
      readonly kind: 'start'
      readonly container: string
      readonly message: string
      /** ms on the cluster's clock; null: not known. */
      readonly nextTryAt: number | null
    }
  | {
      readonly kind: 'next'
      readonly container: string
      /** Otherwise it has not been tried yet. */
      readonly isRunning: boolean
      readonly variable: VariableView
    }

function failing(
  volumes: readonly VolumeView[],
  isSought: (volume: VolumeView) => boolean,
): readonly { readonly volume: string; readonly failure: VolumeFailure }[] {
  return volumes.flatMap((volume) =>
    isSought(volume) && volume.failure !== null
      ? [{ volume: volume.name, failure: volume.failure }]
      : [],
  )
}

/** The names of the containers that run. Pure. */
export function runningContainers(detail: PodDetail | null): ReadonlySet<string> {
  const running = detail?.containers.filter(({ state }) => state === 'running') ?? []
  return new Set(running.map(({ name }) => name))
}

/** The first of these that holds; null: nothing is in the way. Pure. */
export function headlineOf(seen: PodVolumes, detail: PodDetail | null): Headline | null {
  const { volumes, environments } = seen
  const lacking = environments.flatMap(({ container, variables }) =>
    variables.filter(isMissing).map((variable) => ({ container, variable })),
  )
  const [held] = failing(volumes, isHoldingUp)
  if (held !== undefined) return { kind: 'mount', ...held, after: lacking[0]?.variable }
  const refused = detail?.containers.find(({ reason }) => reason === 'CreateContainerConfigError')
  if (refused !== undefined) {
    const { name: container, message } = refused
    return { kind: 'start', container, message, nextTryAt: detail?.worker?.nextSyncAt ?? null }
  }
  const [stale] = failing(volumes, ({ state }) => state === 'mounted')
  if (stale !== undefined) return { kind: 'update', ...stale, after: undefined }
  const [next] = lacking
  if (next === undefined) return null
  const isRunning = runningContainers(detail).has(next.container)
  return { kind: 'next', isRunning, ...next }
}
