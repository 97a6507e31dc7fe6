/** What the name of a resource says of its kind (k8s.io/kubernetes pkg/apis/core/v1/helper; component-helpers). Pure. */

/** What others than Kubernetes provide: with a domain that is not its own; what a quota calls a request is no resource (IsExtendedResourceName). */
export function isExtendedResource(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.')
}

/** Huge pages of one size (IsHugePageResourceName). */
export function isHugePagesResource(name: string): boolean {
  return name.startsWith('hugepages-')
}
