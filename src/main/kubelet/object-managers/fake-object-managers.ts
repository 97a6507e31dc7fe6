import { err } from '../../../shared/result.ts'
import type { ApiError } from '../ports.ts'

const missing: ApiError = { kind: 'not-found', message: 'there are no objects' }

/** Managers of Secrets and ConfigMaps that have none. */
export const noObjectManagers = {
  secretManager: {
    registerPod: (): void => undefined,
    unregisterPod: (): void => undefined,
    getSecret: () => Promise.resolve(err(missing)),
  },
  configMapManager: {
    registerPod: (): void => undefined,
    unregisterPod: (): void => undefined,
    getConfigMap: () => Promise.resolve(err(missing)),
  },
}
