import type { Secret } from '../../../shared/kubernetes/objects.ts'
import type { Result } from '../../../shared/result.ts'
import { podSecretNames } from '../pod/object-names.ts'
import type { ApiError } from '../ports.ts'
import { WatchBasedManager } from './watch-based-manager.ts'
import type { ObjectManagerDeps } from './watch-based-manager.ts'

/** The Secrets that registered pods refer to. Source: pkg/kubelet/secret NewWatchingSecretManager. */
export class SecretManager extends WatchBasedManager<'secrets'> {
  constructor(deps: ObjectManagerDeps) {
    super(deps, { resource: 'secrets', singular: 'secret', namesOf: podSecretNames })
  }

  /** See `WatchBasedManager.getObject`. */
  readonly getSecret = (namespace: string, name: string): Promise<Result<Secret, ApiError>> =>
    this.getObject(namespace, name)
}
