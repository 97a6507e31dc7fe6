import { isJsonObject, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { ContainerConfig } from '../../kubelet/ports.ts'

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/**
 * The variables of a container's config in the information of a verbose ContainerStatus, as containerd gives it (JSON under `info`;
 * internal/cri/server/container_status.go toCRIContainerInfo); undefined: the runtime does not tell the config.
 */
export function environmentIn(
  info: Readonly<Record<string, string>>,
): ContainerConfig['envs'] | undefined {
  const { config } = parsed(info['info'] ?? '')
  if (!isJsonObject(config)) return undefined
  return objectsAt(config, 'envs').map((one) => ({
    key: textAt(one, 'key'),
    value: textAt(one, 'value'),
  }))
}
