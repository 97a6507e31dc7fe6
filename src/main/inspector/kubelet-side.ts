import type { KubeletContact } from '../../shared/model/inspect/evidence.ts'
import type { CertificateView, KubeletSide } from '../../shared/model/inspect/inspect-view.ts'
import type {
  EndpointReading,
  KubeletEndpoint,
  KubeletProblem,
  RightNeeded,
} from '../../shared/model/inspect/kubelet-facts.ts'
import { rolesFor } from './rbac-roles.ts'
import type { KubeletCertificate } from './kubelet-client/kubelet-certificate.ts'

/** What stays unknown where an endpoint gives nothing. */
const unknownWithout: Readonly<Partial<Record<KubeletEndpoint, string>>> = {
  '/pods': 'Which pods the kubelet has received, and where a stop is held up.',
  '/runningpods/': 'Pods that run although the API has none.',
  '/metrics': 'PLEG relists, running pods, worker durations and evictions.',
  '/configz': 'The configuration and the static pod path.',
  '/healthz/syncloop': 'Whether the sync loop runs.',
}

/** What the last reading of /pods says of the kubelet. */
export function contactOf(reading: EndpointReading | undefined): KubeletContact {
  switch (reading?.problem?.kind) {
    case undefined:
      return reading === undefined ? 'not asked' : 'answers'
    case 'refused':
      return 'refused'
    case 'away':
    case 'unhealthy':
      return 'away'
    case 'missing-right':
    case 'unauthorized':
    case 'not-served':
    case 'untrusted':
    case 'no-address':
      return 'not asked'
  }
}

function viewOf(certificate: KubeletCertificate): CertificateView {
  const { fingerprint, subject, issuer, notAfter, verifiedBy } = certificate
  return { fingerprint, subject, issuer, notAfter, verifiedBy: verifiedBy ?? null }
}

/** The narrow rights are enough, except for a kubelet that asks for the broad one. */
function roleFor(rights: readonly RightNeeded[]): string {
  const narrow = rights.filter(({ isBroad }) => !isBroad)
  const needed = narrow.length > 0 ? narrow : rights
  const resources = [...new Set(needed.map(({ resource }) => resource))].toSorted()
  return rolesFor(
    resources.map((resource) => ({ apiGroup: '', resource, verbs: ['get'], namespace: '' })),
  )
}

/** How the kubelet is asked, from its last readings. `problem`: of the way itself, before anything could be asked. */
export function kubeletSide(from: {
  readonly way: 'direct' | 'proxy' | null
  readonly address: string | null
  readonly certificate: KubeletCertificate | undefined
  readonly problem: KubeletProblem | null
  readonly readings: readonly EndpointReading[]
}): KubeletSide {
  const { way, address, certificate, readings } = from
  const ofPods = readings.find(({ path }) => path === '/pods')
  const failed = readings.filter(({ problem }) => problem !== null)
  const problem = from.problem ?? ofPods?.problem ?? failed[0]?.problem ?? null
  const rights = failed.flatMap(({ problem: one }) => one?.right ?? [])
  const unread =
    from.problem === null
      ? failed.map(({ path }) => path)
      : (Object.keys(unknownWithout) as KubeletEndpoint[])
  return {
    contact: contactOf(ofPods),
    way,
    address: way === 'direct' ? address : null,
    certificate: certificate === undefined ? null : viewOf(certificate),
    problem,
    readings,
    notKnown: unread.flatMap((path) => unknownWithout[path] ?? []),
    missingRights: [
      ...new Map(rights.map(({ resource, isBroad }) => [resource, { resource, isBroad }])).values(),
    ].toSorted((a, b) => Number(a.isBroad) - Number(b.isBroad)),
    missingRule: roleFor(rights),
  }
}
