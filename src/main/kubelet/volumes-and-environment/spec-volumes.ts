import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { ok } from '../../../shared/result.ts'
import { emptyPodRuntimeStatus } from '../container/pod-cache.ts'
import type { PodVolumes, VariableView } from '../../../shared/model/inside-pod/pod-volumes.ts'
import { VolumesAndEnvironment } from './volumes-and-environment.ts'

const unread = { peek: () => ({ state: 'unread' }) as const }

/** Only what is written in the spec is known. */
function withoutKubelet(variable: VariableView): VariableView {
  const { value, source } = variable
  if (source.kind === 'spec' && !value.includes('$(')) return variable
  return { ...variable, state: 'unread', value: '', message: '' }
}

/** The volumes and the environment of a pod that no kubelet has, from its spec alone. */
export async function specVolumes(pod: Pod): Promise<PodVolumes> {
  const { view } = new VolumesAndEnvironment({
    configMapManager: unread,
    secretManager: unread,
    environment: {
      serviceLister: { list: () => [], hasSynced: () => true },
      allocatable: () => ({}),
      hostIPs: () => [],
    },
    runtimeService: {},
    podCache: { get: (uid) => ok(emptyPodRuntimeStatus(uid)) },
  })
  const { environments, ...rest } = await view(pod)
  return {
    ...rest,
    isKnown: false,
    environments: environments.map((environment) => ({
      ...environment,
      refusal: '',
      variables: environment.variables.map(withoutKubelet),
    })),
  }
}
