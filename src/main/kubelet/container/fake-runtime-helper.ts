import { ok } from '../../../shared/result.ts'
import type { RuntimeHelper } from './runtime-helper.ts'

/** Adds nothing to the spec of a container. */
export const noRunOptions: RuntimeHelper = {
  generateRunContainerOptions: () => Promise.resolve(ok({ envs: [] })),
}
