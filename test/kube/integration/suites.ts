import { configurations } from './configurations.ts'
import { conflicts } from './conflicts.ts'
import { environment } from './environment.ts'
import { ephemeralContainers } from './ephemeral.ts'
import { manifestFiles } from './manifest-files.ts'
import { ordinary } from './ordinary.ts'
import { outages } from './outages.ts'
import { podServers } from './pod-servers.ts'
import { dnsConfigs, endings, images, podFields } from './pod-settings.ts'
import { memoryPressureScenarios } from './pressure.ts'
import { probesAndHooks } from './probes.ts'
import { restarts } from './restarts.ts'
import { runtimeFailures } from './runtime-failures.ts'
import { storageLimits } from './storage-limits.ts'
import { stoppedContainers } from './stopped-containers.ts'
import { staticPods } from './static.ts'
import { volumes } from './volumes.ts'

/** Every scenario of docs/kubelet-comparison.md, by its section. */
export const suites = {
  'Ordinary pods': [...ordinary, ...conflicts],
  'Images, and how containers end': [...images, ...endings],
  'Containers that another client stops at the runtime': stoppedContainers,
  'Ephemeral containers': ephemeralContainers,
  'Variables of containers': environment,
  'Configs of sandboxes and containers': podFields,
  'Probes and hooks': [...probesAndHooks, ...podServers],
  Volumes: volumes,
  'Storage limits of pods': storageLimits,
  'Static pods and mirrors': [...staticPods, ...manifestFiles],
  'A runtime that fails calls': runtimeFailures,
  'A kubelet with fields of its configuration set': [...configurations, dnsConfigs],
  'A kubelet that restarts': restarts,
  'A Node, an API server or a runtime that is away': outages,
  'A node under memory pressure': memoryPressureScenarios,
} as const
