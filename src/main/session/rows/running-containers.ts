import type { Pod } from '../../../shared/kubernetes/objects.ts'

/** How many containers run, as the last status in the API says. Pure. */
export function runningByStatus({ status }: Pod): number {
  const all = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ]
  return all.filter(({ state }) => state?.running !== undefined).length
}
