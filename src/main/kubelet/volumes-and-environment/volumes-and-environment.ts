import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import type {
  ContainerEnvironment,
  PodVolumes,
  VariableValue,
  VariableView,
} from '../../../shared/model/inside-pod/pod-volumes.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { cutText } from '../../../shared/untrusted-text.ts'
import type { EnvironmentSources } from '../environment/environment.ts'
import type { ConfigMapManager } from '../object-managers/config-map-manager.ts'
import type { SecretManager } from '../object-managers/secret-manager.ts'
import { podNamespace } from '../pod/identity.ts'
import type { RuntimeService } from '../ports.ts'
import type { PodStatusCache } from '../container/pod-cache.ts'
import type { TokenManager } from '../volume/token-manager.ts'
import type { VolumeManager } from '../volumemanager/volume-manager.ts'
import { containerVariables } from './container-variables.ts'
import type { ContainerVariable, ContainerVariables } from './container-variables.ts'
import { readResult } from './referred-object.ts'
import type { PeekObjects } from './referred-object.ts'
import { volumeViews } from './volume-views.ts'

interface VolumesAndEnvironmentDeps {
  readonly configMapManager: Pick<ConfigMapManager, 'peek'>
  readonly secretManager: Pick<SecretManager, 'peek'>
  readonly environment: Omit<EnvironmentSources, 'configMapManager' | 'secretManager'>
  /** Absent: the node has no volumes. */
  readonly volumes?: Pick<VolumeManager, 'progress'> | undefined
  readonly tokens?: Pick<TokenManager, 'renewsAt'> | undefined
  readonly runtimeService: Pick<RuntimeService, 'containerEnvironment'>
  readonly podCache: Pick<PodStatusCache, 'get'>
}

/** Of the values of all containers of a pod together. */
const maxVariables = 1000
const maxContainers = 50
/** As long as a Secret can be. */
const maxValueLength = 1_048_576

type Given = ReadonlyMap<string, string>

/**
 * What a page is told of the volumes and the environment of a pod: from the volume manager and the caches of ConfigMaps and
 * Secrets, which it only looks at. What a container got is asked of the runtime, once for each container.
 */
export class VolumesAndEnvironment {
  readonly #deps: VolumesAndEnvironmentDeps
  /** By the id of the container; of the pod that was looked at last. */
  readonly #given = new Map<string, Given>()

  constructor(deps: VolumesAndEnvironmentDeps) {
    this.#deps = deps
  }

  /** All but the values of Secrets. */
  readonly view = async (pod: Pod): Promise<PodVolumes> => {
    const { volumes, tokens } = this.#deps
    const { volumes: views, left } = volumeViews(pod, {
      peek: this.#peek(pod),
      progress: volumes?.progress(pod) ?? new Map(),
      renewsAt: (of, wish) => tokens?.renewsAt(of, wish),
    })
    const containers = allContainers(pod).slice(0, maxContainers)
    const share = Math.floor(maxVariables / Math.max(1, containers.length))
    const environments: ContainerEnvironment[] = []
    for (const container of containers) {
      const { variables, refusal, isGiven } = await this.#variables(pod, container)
      const shown = variables.slice(0, share).map(variableView)
      const left = variables.length - shown.length
      const { name } = container
      environments.push({ container: name, isGiven, refusal, variables: shown, left })
    }
    return { volumes: views, volumesLeft: left, environments, isKnown: true }
  }

  /** The whole value of one variable. The error is one sentence. */
  readonly valueOf = async (
    pod: Pod,
    containerName: string,
    variable: string,
  ): Promise<Result<VariableValue, string>> => {
    const container = allContainers(pod).find(({ name }) => name === containerName)
    if (container === undefined) return err(`The pod has no container ${containerName}.`)
    const { variables } = await this.#variables(pod, container)
    const value = variables.find(({ name }) => name === variable)?.value
    return value === undefined
      ? err(`The container ${containerName} has no value of ${variable}.`)
      : ok({ value: value.slice(0, maxValueLength) })
  }

  async #variables(
    pod: Pod,
    container: Container,
  ): Promise<ContainerVariables & { readonly isGiven: boolean }> {
    const { environment, podCache } = this.#deps
    const status = podCache.get(pod.metadata.uid)
    const podIPs = status.ok ? status.value.ips : []
    const peek = this.#peek(pod)
    const given = await this.#givenTo(pod, container)
    const sources = {
      ...environment,
      configMapManager: {
        getConfigMap: (_namespace: string, name: string) =>
          readResult('ConfigMap', name, peek.ConfigMap(name)),
      },
      secretManager: {
        getSecret: (_namespace: string, name: string) =>
          readResult('Secret', name, peek.Secret(name)),
      },
    }
    const starting = { pod, container, podIPs }
    const found = await containerVariables(starting, sources, peek, given)
    return { ...found, isGiven: given !== undefined }
  }

  /** The variables that the running container was created with; undefined: none runs, or the runtime does not say. */
  async #givenTo(pod: Pod, { name }: Container): Promise<Given | undefined> {
    const { podCache, runtimeService } = this.#deps
    const status = podCache.get(pod.metadata.uid)
    if (!status.ok) return undefined
    const { containers } = status.value
    for (const id of this.#given.keys())
      if (!containers.some((one) => one.id === id)) this.#given.delete(id)
    const running = containers.find((one) => one.name === name && one.state === 'running')
    if (running === undefined) return undefined
    const known = this.#given.get(running.id)
    if (known !== undefined) return known
    const told = await runtimeService.containerEnvironment?.(running.id)
    if (told?.ok !== true || told.value === undefined) return undefined
    const given = new Map(told.value.map(({ key, value }) => [key, value]))
    this.#given.set(running.id, given)
    return given
  }

  #peek(pod: Pod): PeekObjects {
    const { configMapManager, secretManager } = this.#deps
    const namespace = podNamespace(pod)
    return {
      ConfigMap: (name) => configMapManager.peek(namespace, name),
      Secret: (name) => secretManager.peek(namespace, name),
    }
  }
}

function variableView(variable: ContainerVariable): VariableView {
  const { name, source, state, value, isSecret, isOutdated, message, asOf } = variable
  return {
    name,
    source,
    state,
    value: isSecret || value === undefined ? '' : cutText(value),
    isHidden: isSecret && value !== undefined,
    isOutdated,
    message: cutText(message),
    asOf: asOf ?? null,
  }
}
