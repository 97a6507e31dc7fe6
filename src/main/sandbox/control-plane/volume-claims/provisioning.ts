import { textAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import type { ControllerContext } from '../controller.ts'
import {
  annotated,
  betaProvisionerAnnotation,
  classOf,
  provisionerAnnotation,
} from './volume-matching.ts'
import type { VolumeWrites } from './volume-writes.ts'

/** The CSI drivers that took over from provisioners inside Kubernetes. Source: k8s.io/csi-translation-lib. */
const migrated: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
])

export const hostPathPlugin = 'kubernetes.io/host-path'
/** The plugins of the controller, by whether they could provision and delete. */
const ownPlugins = new Set([hostPathPlugin, 'kubernetes.io/nfs'])

/** How FindPluginByName and what asks it fail. Source: pkg/volume/plugins.go. */
export function pluginProblem(name: string, ability: string): string {
  if (ownPlugins.has(name)) return `no ${ability} volume plugin matched`
  return `no volume plugin matched name: ${name}`
}

interface ProvisioningDeps {
  readonly context: ControllerContext
  readonly writes: VolumeWrites
}

/**
 * Asks for a volume: names the provisioner of the claim's class in its annotations. A provisioner outside of the controller
 * does the rest; the controller itself has none that is enabled. Source: provisionClaim, provisionClaimOperationExternal.
 */
export async function provision(
  claim: KubeObject,
  { context, writes }: ProvisioningDeps,
): Promise<void> {
  const className = classOf(claim)
  const fail = (message: string): void => {
    writes.claimEvent(claim, { type: 'Warning', reason: 'ProvisioningFailed', message })
  }
  const storageClass = context.storageClasses.get('', className)
  if (storageClass === undefined) {
    fail(`storageclass.storage.k8s.io ${JSON.stringify(className)} not found`)
    return
  }
  const given = textAt(storageClass, 'provisioner')
  const provisioner = migrated.get(given) ?? given
  const isInside = provisioner.startsWith('kubernetes.io/')
  if (isInside && provisioner !== hostPathPlugin) {
    fail(pluginProblem(provisioner, 'provisionable'))
    return
  }
  const named = await nameProvisioner(claim, provisioner, writes)
  if (named === undefined) return
  if (isInside) {
    const plugin = JSON.stringify(hostPathPlugin)
    fail(`Failed to create provisioner: provisioning in volume plugin ${plugin} is disabled`)
    return
  }
  const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`
  writes.claimEvent(named, { type: 'Normal', reason: 'ExternalProvisioning', message })
}

function nameProvisioner(
  claim: KubeObject,
  provisioner: string,
  writes: VolumeWrites,
): Promise<KubeObject | undefined> {
  if (claim.metadata.annotations?.[provisionerAnnotation] === provisioner)
    return Promise.resolve(claim)
  const annotations = {
    [betaProvisionerAnnotation]: provisioner,
    [provisionerAnnotation]: provisioner,
  }
  return writes.updateClaim(annotated(claim, annotations))
}
