import type { ResourceType } from './resource-type.ts'
import { resource } from './resource-types.ts'

/** apimachinery's UnsafeGuessKindToResource. */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase()
  if (singular === 'endpoints') return singular
  if (singular.endsWith('s')) return `${singular}es`
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`
}

// No verbs: `kubectl api-resources` and programs that list everything omit such a resource. It is not in the category `all`
// either: `kubectl get all` and `kubectl delete all` request what the sandbox has.
function missing(groupVersion: string, kind: string, ...shortNames: readonly string[]) {
  return resource(groupVersion, kind, pluralOf(kind), { shortNames, verbs: [] })
}

function missingInCluster(groupVersion: string, kind: string, ...shortNames: readonly string[]) {
  return { ...missing(groupVersion, kind, ...shortNames), namespaced: false }
}

/**
 * Kinds of a real cluster that the sandbox does not have. Discovery lists them: otherwise kubectl claims that their CRDs are not
 * installed and never asks the server, which can say what is missing. No other part uses them.
 */
export const missingTypes: readonly ResourceType[] = [
  missing('v1', 'PodTemplate'),
  missing('autoscaling/v2', 'HorizontalPodAutoscaler', 'hpa'),
  missing('autoscaling/v1', 'HorizontalPodAutoscaler', 'hpa'),
  missing('networking.k8s.io/v1', 'Ingress', 'ing'),
  missingInCluster('networking.k8s.io/v1', 'IngressClass'),
  missing('networking.k8s.io/v1', 'NetworkPolicy', 'netpol'),
  missing('resource.k8s.io/v1', 'ResourceClaim'),
  missing('resource.k8s.io/v1', 'ResourceClaimTemplate'),
  missingInCluster('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'),
  missingInCluster('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
]

/** Why the sandbox has no object of a kind, for an error message. */
export function missingKindMessage(kind: string): string {
  return `the Nodescope sandbox does not have kind ${kind} yet`
}
