import type { JsonObject } from '../../../shared/json.ts'
import type { MirrorState, PodKind, WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type { NodeAct } from '../../../shared/model/node-act.ts'
import type { WaitCondition } from '../../nodes/control/wait-condition.ts'

/** What the page shows of a pod: all that is given has to fit one row. */
export interface PodCondition {
  readonly pod: string
  readonly namespace?: string
  readonly node?: string
  /** How many rows fit; absent: at least one. */
  readonly count?: number
  readonly status?: string
  readonly worker?: WorkerStateWord
  readonly mirror?: MirrorState
  readonly kind?: PodKind
  readonly restarts?: number
  readonly readyContainers?: number
  readonly restartRequested?: boolean
  /** Of the first container. */
  readonly exitCode?: number
  /** A part of the message of the first container. */
  readonly message?: string
  /** The whole last line that the first container has printed. */
  readonly lastLine?: string
  readonly timeout?: string
}

/** What the page shows of a node. */
export interface NodeCondition {
  readonly node: string
  readonly status?: string
  readonly kubelet?: 'running' | 'stopped'
  /** Whether the machine is on. */
  readonly powered?: boolean
  readonly timeout?: string
}

/** As the schema `stepCondition` has it: of an object of the API, of a row of pods, or of a node. */
export type StepCondition = WaitCondition | PodCondition | NodeCondition

export function isPodCondition(condition: StepCondition): condition is PodCondition {
  return 'pod' in condition
}

interface OfPod {
  readonly pod: string
  readonly namespace?: string
  /** Of two pods with that name. */
  readonly node?: string
  readonly gracePeriodSeconds?: number
}

/** The acts of a step, each with what it needs. `node` absent: the first. */
export interface StepActs {
  readonly create: JsonObject
  readonly apply: JsonObject
  readonly patch: {
    readonly resource: string
    readonly namespace?: string
    readonly subresource?: string
    readonly type?: 'strategic' | 'merge' | 'json'
    readonly patch: unknown
  }
  readonly delete: {
    readonly resource: string
    readonly namespace?: string
    readonly gracePeriodSeconds?: number
    readonly propagationPolicy?: string
  }
  readonly manifest: {
    readonly node?: string
    readonly file: string
    readonly content?: JsonObject
    readonly text?: string
  }
  readonly removeManifest: { readonly node?: string; readonly file: string }
  readonly kill: OfPod
  readonly evict: OfPod & { readonly by?: 'API' | 'kubelet' }
  readonly restartContainer: OfPod & { readonly container?: string }
  readonly node: {
    readonly name?: string
    readonly act: Exclude<NodeAct, 'failCall'>
    readonly shutdownGraceSeconds?: number
    readonly criticalGraceSeconds?: number
  }
  readonly cordon: { readonly node: string }
  readonly uncordon: { readonly node: string }
  readonly drain: {
    readonly node: string
    readonly gracePeriodSeconds?: number
    readonly timeout?: string
  }
  readonly faultsOn: readonly JsonObject[]
  readonly faultsOff: readonly { readonly type: string; readonly node?: string }[]
  readonly run: string
  readonly until: readonly StepCondition[]
}

/** As the schema `step` has it: a sentence, one act, or both. */
export type ScenarioStep = Partial<StepActs> & {
  readonly say?: string
  /** The act has to be refused, with this in the answer. */
  readonly refused?: string
}

export const stepActNames = [
  'create',
  'apply',
  'patch',
  'delete',
  'manifest',
  'removeManifest',
  'kill',
  'evict',
  'restartContainer',
  'node',
  'cordon',
  'uncordon',
  'drain',
  'faultsOn',
  'faultsOff',
  'run',
  'until',
] as const satisfies readonly (keyof StepActs)[]

/** The act of a step; undefined: it only says something. */
export function actOf(step: ScenarioStep): keyof StepActs | undefined {
  return stepActNames.find((name) => step[name] !== undefined)
}
