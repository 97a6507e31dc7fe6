import type { GotchaView } from '../../shared/model/gotcha.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { ScriptedSandbox } from './scripted-sandbox.ts'

/** A gotcha with the category of the group that lists it. */
export interface Gotcha extends GotchaScript, GotchaView {}

/** The texts, and the script that brings a sandbox to the state in which the surprise is seen. */
export interface GotchaScript extends Omit<GotchaView, 'category'> {
  /** Default: `nodeA` alone. Scripts that name no node mean the first. */
  readonly nodes?: readonly string[]
  /** What to look at when the script has ended. */
  readonly lookAt: string
  /** What happens when the clock runs on. */
  readonly next: string
  /** Ends with the clock paused. Returns the row of the pod that the gotcha is about; null for none. */
  readonly run: (sandbox: ScriptedSandbox) => Promise<PodRow | null>
}

/** The node of a gotcha that has only one, and the first of a gotcha that has two. */
export const nodeA = 'node-a'
export const nodeB = 'node-b'
