import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import { existsSync } from 'node:fs'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { parseJson } from '../../parsing/bounded-json.ts'
import type { ContainerHost, RuntimeError } from '../../kubelet/ports.ts'
import { lostRuntime } from './connect-runtime.ts'
import type { CriClient } from './cri-client.ts'

type CgroupDriver = ContainerHost['cgroupDriver']

/** The kubelet's cgroupDriver where it is not set. */
const defaultDriver: CgroupDriver = 'CGROUPFS'

/**
 * The driver of the runtime's cgroups, which decides how a pod's cgroup is named. A runtime without the call for it
 * leaves it to the kubelet's configuration; containerd before 2.0 is such a runtime, but tells its own configuration.
 */
async function cgroupDriverOf(
  runtime: Pick<CriClient, 'runtimeConfig' | 'information'>,
): Promise<Result<CgroupDriver, RuntimeError>> {
  const config = await runtime.runtimeConfig()
  if (config.ok) return ok(config.value.linux?.cgroupDriver ?? defaultDriver)
  if (config.error.kind !== 'unimplemented') return config
  const information = await runtime.information()
  if (!information.ok) return information
  return ok(usesSystemd(information.value['config'] ?? '') ? 'SYSTEMD' : defaultDriver)
}

/** sd_booted(3), which runc asks too. */
const systemdFolder = '/run/systemd/system'

/** The driver, if this machine can have such cgroups. The error is one sentence. */
export async function usableCgroupDriver(
  runtime: Parameters<typeof cgroupDriverOf>[0],
  socketPath: string,
  hasSystemd = existsSync(systemdFolder),
): Promise<Result<CgroupDriver, string>> {
  const driver = await cgroupDriverOf(runtime)
  if (!driver.ok) return err(lostRuntime(socketPath, driver.error))
  if (driver.value === 'CGROUPFS' || hasSystemd) return driver
  return err(
    `The container runtime at ${socketPath} makes cgroups with systemd, which does not run here (there is no ${systemdFolder}): set its cgroup driver to cgroupfs.`,
  )
}

/** From containerd's configuration of its CRI plugin. */
function usesSystemd(config: string): boolean {
  const parsed = parseJson(config)
  if (!parsed.ok || !isJsonObject(parsed.value)) return false
  const plugin = parsed.value
  const containerd = objectAt(plugin, 'containerd')
  const runtime = objectAt(
    objectAt(containerd, 'runtimes'),
    textAt(containerd, 'defaultRuntimeName'),
  )
  return objectAt(runtime, 'options')['SystemdCgroup'] === true || plugin['systemdCgroup'] === true
}
