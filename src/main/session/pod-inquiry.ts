import type {
  CausalChain,
  MirrorMoment,
  PodEventList,
  PodObjects,
} from '../../shared/model/pod-objects.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'
import type { TraceSeq } from '../../shared/model/trace-event.ts'

/** What is looked up only when somebody asks for it. */
export interface PodInquiry {
  readonly objects: (key: PodKey) => PodObjects | null
  readonly events: (key: PodKey) => Promise<PodEventList | null>
  readonly mirrorHistory: (key: PodKey) => readonly MirrorMoment[]
  readonly related: (seq: TraceSeq) => CausalChain | null
}

export const noInquiry: PodInquiry = {
  objects: () => null,
  events: () => Promise.resolve(null),
  mirrorHistory: () => [],
  related: () => null,
}
