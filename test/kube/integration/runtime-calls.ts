import type { RuntimeCall } from '../cri/recorded-runtime.ts'

function isStop(call: string | undefined): boolean {
  return call?.startsWith('Stop') === true
}

/** Containers are stopped at the same time, so in any order. */
function withStopsSorted(calls: readonly string[]): readonly string[] {
  const runs: string[][] = []
  for (const call of calls) {
    const last = runs.at(-1)
    if (last !== undefined && isStop(call) && isStop(last[0])) last.push(call)
    else runs.push([call])
  }
  return runs.flatMap((run) => (isStop(run[0]) ? [...new Set(run)].toSorted() : run))
}

/**
 * What a runtime was asked to change for the pods of one namespace, by the pod's name, in order; where `bySandbox`, the
 * order is that of each sandbox. When a sandbox is stopped depends on the kubelet's pace after the end of its pod, so
 * StopPodSandbox is left out.
 */
export function podRuntimeCalls(
  calls: readonly RuntimeCall[],
  namespace: string,
  bySandbox = false,
): Readonly<Record<string, readonly string[]>> {
  const own = calls.filter((one) => one.namespace === namespace && one.call !== 'StopPodSandbox')
  const pods = [...new Set(own.map(({ pod }) => pod))].toSorted()
  const ofPod = (name: string): readonly string[] => {
    const all = own.filter(({ pod }) => pod === name)
    if (!bySandbox) return withStopsSorted(all.map(({ call }) => call))
    const sandboxes = [...new Set(all.map(({ sandbox }) => sandbox))]
    return sandboxes.flatMap((id) =>
      withStopsSorted(all.filter(({ sandbox }) => sandbox === id).map(({ call }) => call)),
    )
  }
  return Object.fromEntries(pods.map((name) => [name, ofPod(name)]))
}

/** Both, up to the length of the shorter one: after its cut a scenario's time decides how often containers restart. */
export function commonCalls(
  one: Readonly<Record<string, readonly string[]>>,
  other: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(one).map(([pod, calls]) => {
      const starts = calls.filter((call) => !isStop(call))
      const others = (other[pod] ?? []).filter((call) => !isStop(call))
      return [pod, starts.slice(0, Math.min(starts.length, others.length))]
    }),
  )
}
