import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'

/** Fields of a KubeletConfiguration. */
export type ConfigurationFields = Readonly<Record<string, unknown>>

/** What the file of a node says of its machine. */
export interface ConfigurationOptions {
  /** The file, the manifests and the logs are below. */
  readonly folder: string
  readonly caFile: string
  /** Absent: the program's own simulated runtime. */
  readonly socketPath?: string | undefined
  /** Of the kubelet's server. */
  readonly port: number
  /** In addition, or instead. */
  readonly fields?: ConfigurationFields | undefined
}

export function manifestsIn(folder: string): string {
  return join(folder, 'manifests')
}

export function podLogsIn(folder: string): string {
  return join(folder, 'pod-logs')
}

/** Writes the file of `--config` for a kubelet that runs without root and cgroups, with its folders; returns its path. */
export async function writeKubeletConfiguration(options: ConfigurationOptions): Promise<string> {
  const { folder, caFile, socketPath, port, fields } = options
  const [staticPodPath, podLogsDir] = [manifestsIn(folder), podLogsIn(folder)]
  await mkdir(staticPodPath, { recursive: true })
  await mkdir(podLogsDir, { recursive: true })
  const file = join(folder, 'kubelet.yaml')
  const configuration = {
    kind: 'KubeletConfiguration',
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    address: '127.0.0.1',
    port,
    healthzPort: 0,
    readOnlyPort: 0,
    authentication: { x509: { clientCAFile: caFile } },
    cgroupsPerQOS: false,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    failCgroupV1: false,
    ...(socketPath === undefined ? {} : { containerRuntimeEndpoint: `unix://${socketPath}` }),
    staticPodPath,
    podLogsDir,
    ...fields,
    featureGates: {
      KubeletInUserNamespace: true,
      // Without cgroups a kubelet of 1.34 may end in doPodResizeAction: it resizes a pod whose record it has just removed.
      InPlacePodVerticalScaling: false,
      ...gatesOf(fields),
    },
  }
  await writeFile(file, stringify(configuration, { version: '1.1' }))
  return file
}

function gatesOf(fields: ConfigurationFields = {}): object {
  const gates = fields['featureGates']
  return typeof gates === 'object' && gates !== null ? gates : {}
}
