import { configurations } from './configurations.ts'
import { conflicts } from './conflicts.ts'
import { environment } from './environment.ts'
import { manifestFiles } from './manifest-files.ts'
import { ordinary } from './ordinary.ts'
import { outages } from './outages.ts'
import { podServers } from './pod-servers.ts'
import { probesAndHooks } from './probes.ts'
import { restarts } from './restarts.ts'
import { runtimeFailures } from './runtime-failures.ts'
import { staticPods } from './static.ts'
import { volumes } from './volumes.ts'

/** Every scenario of docs/kubelet-comparison.md, by its section. */
export const suites = {
  'Ordinary pods': [...ordinary, ...conflicts],
  'Variables of containers': environment,
  'Probes and hooks': [...probesAndHooks, ...podServers],
  Volumes: volumes,
  'Static pods and mirrors': [...staticPods, ...manifestFiles],
  'A runtime that fails calls': runtimeFailures,
  'A kubelet with fields of its configuration set': configurations,
  'A kubelet that restarts': restarts,
  'A Node, an API server or a runtime that is away': outages,
} as const
