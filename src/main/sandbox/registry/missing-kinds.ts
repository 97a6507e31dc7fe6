import type { ResourceType } from './resource-type.ts'
import { resource } from './resource-types.ts'

type Scope = 'namespaced' | 'cluster'

function missing(
  groupVersion: string,
  kind: string,
  plural: string,
  shortNames: readonly string[] = [],
  scope: Scope = 'namespaced',
): ResourceType {
  // No verbs: `kubectl api-resources` and programs that list everything leave such a resource out. Not even in the
  // category `all`: `kubectl get all` and `kubectl delete all` ask for what the sandbox has.
  return resource(groupVersion, kind, plural, {
    shortNames,
    namespaced: scope === 'namespaced',
    verbs: [],
  })
}

/**
 * Kinds of a real cluster that the sandbox does not have. Discovery names them, since kubectl otherwise claims that their
 * CRDs are not installed and never asks the server, which can say what is missing. No other part uses them.
 */
export const missingTypes: readonly ResourceType[] = [
  missing('apps/v1', 'Deployment', 'deployments', ['deploy']),
  missing('apps/v1', 'ReplicaSet', 'replicasets', ['rs']),
  missing('apps/v1', 'StatefulSet', 'statefulsets', ['sts']),
  missing('apps/v1', 'ControllerRevision', 'controllerrevisions'),
  missing('batch/v1', 'Job', 'jobs'),
  missing('batch/v1', 'CronJob', 'cronjobs', ['cj']),
  missing('v1', 'Endpoints', 'endpoints', ['ep']),
  missing('v1', 'PodTemplate', 'podtemplates'),
  missing('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', ['hpa']),
  missing('autoscaling/v1', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', ['hpa']),
  missing('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices'),
  missing('networking.k8s.io/v1', 'Ingress', 'ingresses', ['ing']),
  missing('networking.k8s.io/v1', 'IngressClass', 'ingressclasses', [], 'cluster'),
  missing('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', ['netpol']),
  missing('rbac.authorization.k8s.io/v1', 'Role', 'roles'),
  missing('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings'),
  missing('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles', [], 'cluster'),
  missing(
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'clusterrolebindings',
    [],
    'cluster',
  ),
  missing('resource.k8s.io/v1', 'ResourceClaim', 'resourceclaims'),
  missing('resource.k8s.io/v1', 'ResourceClaimTemplate', 'resourceclaimtemplates'),
  missing(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    ['crd', 'crds'],
    'cluster',
  ),
  missing(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    [],
    'cluster',
  ),
  missing(
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    [],
    'cluster',
  ),
]

/** Their controllers make pods. */
const workloads: ReadonlySet<string> = new Set([
  'CronJob',
  'DaemonSet',
  'Deployment',
  'Job',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
])

/** Why the sandbox has no object of a kind, for an error's message; with what to create instead where it `isCreate`. */
export function missingKindSentence(
  kind: string,
  { isCreate }: { readonly isCreate: boolean },
): string {
  if (!workloads.has(kind)) return `the Nodescope sandbox does not have kind ${kind} yet`
  const advice = isCreate ? '; create pods directly' : ''
  return `the Nodescope sandbox does not run kind ${kind} yet${advice}`
}
