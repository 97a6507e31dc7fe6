/** What kind of resource a name stands for. Source: pkg/apis/core/v1/helper, pkg/scheduler/util (v1.34). Pure. */
import { qualifiedNameProblems } from './validation/name-rules.ts'

/** Kubernetes' own: without a domain, or in one of kubernetes.io. */
export function isNativeResource(resource: string): boolean {
  return !resource.includes('/') || resource.includes('kubernetes.io/')
}

/** `hugepages-2Mi`, `hugepages-1Gi`. */
export function isHugePagesResource(resource: string): boolean {
  return resource.startsWith('hugepages-')
}

// As quotas write requests; a resource of that name could not be told from one.
const quotaPrefix = 'requests.'

/** From a device plugin, as `example.com/gpu`: a node need not have it. */
export function isExtendedResource(resource: string): boolean {
  if (isNativeResource(resource) || resource.startsWith(quotaPrefix)) return false
  return qualifiedNameProblems(`${quotaPrefix}${resource}`).length === 0
}

/** Counted in addition to cpu, memory and ephemeral-storage; other names are not counted. */
export function isScalarResource(resource: string): boolean {
  return (
    isHugePagesResource(resource) ||
    resource.includes('kubernetes.io/') ||
    resource.startsWith('attachable-volumes-') ||
    isExtendedResource(resource)
  )
}
