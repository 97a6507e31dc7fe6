import type { ProbeResult, ProbeType } from './trace-event.ts'

/** How many lines of each list a part of the flow sends to the page. */
export const contentListed = 20

/** A probe of a container, with the result that the results manager has; null before there is one. */
export interface ProberLine {
  readonly podName: string
  readonly container: string
  readonly type: ProbeType
  readonly periodSeconds: number
  readonly result: ProbeResult | null
}

/** What the prober holds. */
export interface ProbersView {
  /** Probes, one worker each. */
  readonly workers: number
  /** Those whose result is a failure. */
  readonly failing: number
  /** Failing ones first, at most `contentListed`. */
  readonly lines: readonly ProberLine[]
}

/** A volume of a pod: mounted, or waiting to be. */
export interface VolumeLine {
  readonly podName: string
  readonly volume: string
  /** `kubernetes.io/configmap`. */
  readonly plugin: string
  readonly isMounted: boolean
}

/** What the volume manager holds, with the managers of ConfigMaps and Secrets. */
export interface VolumesView {
  readonly mounted: number
  readonly waiting: number
  readonly configMaps: number
  readonly secrets: number
  /** Waiting ones first, at most `contentListed`. */
  readonly lines: readonly VolumeLine[]
  /** `configmaps default/settings`, at most `contentListed`. */
  readonly objects: readonly string[]
}

export interface ImageLine {
  readonly name: string
  readonly sizeBytes: number
  /** A container on the node, running or not, was made from it when images were last looked at, or the runtime pins it. */
  readonly isUsed: boolean
}

/** Images of the node, as image garbage collection knows them, and pulls in progress. */
export interface ImagesView {
  /** `image` of each pull in progress. */
  readonly pulling: readonly string[]
  readonly present: number
  readonly unused: number
  /** The largest first, at most `contentListed`. */
  readonly lines: readonly ImageLine[]
}
