/**
 * Why a plugin rejects a pod, on one node or on all. Preemption may help if `Unschedulable`, and cannot if
 * `UnschedulableAndUnresolvable`. A plugin that accepts the pod returns undefined.
 */
export interface Status {
  readonly code: 'Unschedulable' | 'UnschedulableAndUnresolvable'
  readonly reasons: readonly string[]
}

/** A status with the plugin that it comes from. */
export interface PluginStatus extends Status {
  readonly plugin: string
}

export function unschedulable(...reasons: readonly string[]): Status {
  return { code: 'Unschedulable', reasons }
}

export function unresolvable(...reasons: readonly string[]): Status {
  return { code: 'UnschedulableAndUnresolvable', reasons }
}
