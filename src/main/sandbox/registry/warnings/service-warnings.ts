import { listAt, objectAt, textAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { cidrWarnings, ipWarnings } from './ip-warnings.ts'

/** Source: pkg/api/service GetWarningsForService (v1.34). */
export function serviceWarnings(service: KubeObject): readonly string[] {
  const spec = objectAt(service, 'spec')
  const [type, clusterIP] = [textAt(spec, 'type'), textAt(spec, 'clusterIP')]
  const isHeadless = type === 'ClusterIP' && clusterIP === 'None'
  const isExternal = type === 'ExternalName'
  const externalIPs = listAt(spec, 'externalIPs').map(String)
  const loadBalancerIP = textAt(spec, 'loadBalancerIP')
  const hints = 'service.kubernetes.io/topology-aware-hints'
  const clusterIPs = clusterIP === 'None' ? [] : listAt(spec, 'clusterIPs').map(String)
  const checks: readonly (readonly [boolean, string])[] = [
    [isHeadless && loadBalancerIP !== '', 'spec.loadBalancerIP is ignored for headless services'],
    [isHeadless && externalIPs.length > 0, 'spec.externalIPs is ignored for headless services'],
    [
      isHeadless && textAt(spec, 'sessionAffinity') !== 'None',
      'spec.SessionAffinity is ignored for headless services',
    ],
  ]
  const last: readonly (readonly [boolean, string])[] = [
    [
      isExternal && externalIPs.length > 0,
      'spec.externalIPs is ignored when spec.type is "ExternalName"',
    ],
    [
      !isExternal && textAt(spec, 'externalName') !== '',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
  ]
  const texts = (of: typeof checks): readonly string[] =>
    of.filter(([applies]) => applies).map(([, text]) => text)
  return [
    ...(service.metadata.annotations?.[hints] === undefined
      ? []
      : [
          `annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
        ]),
    ...clusterIPs.flatMap((ip, index) => ipWarnings(`spec.clusterIPs[${index}]`, ip)),
    ...texts(checks),
    ...externalIPs.flatMap((ip, index) => ipWarnings(`spec.externalIPs[${index}]`, ip)),
    ...ipWarnings('spec.loadBalancerIP', loadBalancerIP),
    ...listAt(spec, 'loadBalancerSourceRanges').flatMap((cidr, index) =>
      cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, String(cidr)),
    ),
    ...texts(last),
  ]
}
