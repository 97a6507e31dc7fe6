import type { ConfigMap } from '../../../shared/kubernetes/objects.ts'
import type { Result } from '../../../shared/result.ts'
import { podConfigMapNames } from '../pod/object-names.ts'
import type { ApiError } from '../ports.ts'
import { WatchBasedManager } from './watch-based-manager.ts'
import type { ObjectManagerDeps } from './watch-based-manager.ts'

/** The ConfigMaps that registered pods refer to. Source: pkg/kubelet/configmap NewWatchingConfigMapManager. */
export class ConfigMapManager extends WatchBasedManager<'configmaps'> {
  constructor(deps: ObjectManagerDeps) {
    super(deps, { resource: 'configmaps', singular: 'configmap', namesOf: podConfigMapNames })
  }

  /** See `WatchBasedManager.getObject`. */
  readonly getConfigMap = (namespace: string, name: string): Promise<Result<ConfigMap, ApiError>> =>
    this.getObject(namespace, name)
}
